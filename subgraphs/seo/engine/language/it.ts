import { countVowelGroups } from './countVowelGroups.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';
import { periphrasticPassive } from './periphrasticPassive.ts';

const functionWords = wordSet(`
  il lo la i gli le l' un uno una un' del dello della dei degli delle dell' al allo alla ai agli alle all' dal dallo
  dalla dai dagli dalle dall' nel nello nella nei negli nelle nell' sul sullo sulla sui sugli sulle sull' col coi
  questo questa questi queste quest' quello quella quelli quelle quei quegli quell' mio mia miei mie tuo tua tuoi tue
  suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro ogni qualche alcuni alcune alcuno
  nessuno nessuna altro altra altri altre tutto tutta tutti tutte molto molta molti molte poco poca pochi poche
  qualsiasi stesso stessa stessi stesse tale tali ciascuno ciascuna
  io tu lui lei egli ella esso essa noi voi essi mi ti si ci vi ne me te sé li che chi cui quale quali quanto quanta
  quanti quante qualcosa qualcuno niente nulla
  a di d' da in con su per tra fra senza sotto sopra verso durante contro dopo prima entro presso secondo mediante
  e ed o od ma né se come quando dove d'ove perché poiché mentre anche oppure però quindi dunque sia
  non più meno molto così già ancora sempre mai solo qui qua là lì bene male poi ora oggi quasi troppo tanto inoltre
  pure neanche
  essere sono sei è siamo siete era erano ero fu furono sarà saranno sarebbe sarebbero sia siano stato stata stati
  state stare sta stanno avere ho hai ha abbiamo avete hanno aveva avevano avrà avrebbe abbia avuto fare fa fanno può
  possono potere deve devono dovere va vanno viene vengono c'è
  due tre quattro cinque sei sette otto nove dieci primo prima secondo`);

const transitionWords = wordSet(`
  adesso affinché allora almeno altrettanto altrimenti analogamente anche ancora anzi anzitutto appena
  attualmente benché certamente chiaramente cioè comunque concludendo conseguentemente contemporaneamente così
  davvero dopodiché dopo dunque eccetto effettivamente eppure finalmente finché generalmente già
  giacché egualmente indubbiamente infatti infine innanzitutto inoltre insomma intanto invece laddove malgrado
  mentre naturalmente neanche nemmeno neppure nonostante normalmente oltre oppure ora ordunque ossia ovvero
  ovviamente parimenti particolarmente perché perciò pertanto però piuttosto poi poiché praticamente
  precedentemente precisamente prima primariamente principalmente purché qualora quando quantunque quindi
  recentemente riassumendo ricapitolando salvo sebbene secondariamente secondo seguentemente sennonché seppure
  siccome sicuramente similmente simultaneamente soltanto soprattutto specialmente specificamente successivamente
  terzo tuttavia ugualmente ulteriormente`);
const transitionPhrases = phraseList(`
  a causa di|a condizione che|a differenza di|a dire il vero|a fronte di|a meno che|a parte|a partire da|
  a patto che|a prescindere da|a proposito|a questo proposito|a questo punto|a tal fine|ad eccezione di|
  ad esempio|ad ogni modo|al contrario|al fine di|al momento|al posto di|al tempo stesso|allo scopo di|
  allo stesso modo|allo stesso tempo|alla fine|alla luce di|anche se|appena che|bensì anche|c'è da dire|
  come conseguenza|come detto|come esempio|come prima cosa|come se|con ciò|con riferimento a|
  contrariamente a|d'altra parte|d'altro canto|d'altronde|da allora|da quando|dal momento che|dal punto di vista|
  dato che|del resto|detto questo|di certo|di conseguenza|di fatto|di fronte a|di norma|di nuovo|di pari passo|
  di solito|dopo che|dopo tutto|dopo di che|è chiaro che|è evidente che|essendo che|fermo restando|fin da|fin dall'inizio|
  fin quando|fino a|fino ad ora|fino a quando|grazie a|gli uni|in aggiunta|in altre parole|in altri termini|
  in base a|in breve|in caso|in conclusione|in confronto a|in considerazione di|in definitiva|in effetti|
  in fin dei conti|in generale|in genere|in linea generale|in maniera analoga|in modo che|in modo da|in ogni caso|
  in ogni modo|in particolare|in pratica|in precedenza|in primo luogo|in realtà|in relazione a|in riferimento a|
  in secondo luogo|in seguito|in sintesi|in sostanza|in tal caso|in tal modo|in totale|in ultima analisi|
  in vista di|ma anche|nel caso in cui|nel complesso|nel corso di|nel frattempo|nello specifico|nello stesso modo|
  nello stesso tempo|non appena|non solo|oltre a|oltre a ciò|ora che|per certi versi|per cominciare|per concludere|
  per cui|per esempio|per fare un esempio|per finire|per iniziare|per la verità|per lo più|per poi|
  per questa ragione|per questo|per questo motivo|per quanto|per quanto riguarda|per riassumere|per tale motivo|
  per tutto questo|per via di|più in generale|più precisamente|poco dopo|posto che|prima di|prima di tutto|
  prima che|quanto a|rispetto a|sempre che|senza dubbio|sin da|subito dopo|tale che|tanto che|tenendo conto|
  tra l'altro|tutto sommato|una volta che|un'altra volta|va detto che|vale a dire|visto che`);

const irregular =
  /^(?:fatt|dett|scritt|lett|mess|pres|chius|apert|vist|rott|cott|cors|decis|divis|deciss|elett|offert|copert|scopert|post|propost|compost|espost|impost|dispost|ris?post|prodott|ridott|tradott|condott|introdott|costruitt|distrutt|assunt|aggiunt|raggiunt|vint|spint|dipint|tint|fint|chiest|richiest|inclus|esclus|conclus|promess|permess|ammess|trasmess|ammess|sospes|appes|spes|diffus|confus|uccis|condivis|previst|stampat|perdut|pers|scelt|tolt|raccolt|accolt|risolt|rivolt|sepolt|svolt|concess|espress|compress|discuss|mos|moss|promoss|rimoss|scoss|percoss|interrott|corrott|dedott|sedott|fritt|protett|corrett|dirett|costrett|ristrett|iscritt|descritt|prescritt|trascritt|sottoscritt|soddisfatt|definit)[oaie]$/;
const regular = /^[a-zàèéìòù]{2,24}(?:at|ut|it)[oaie]$/;
const notParticiples = wordSet(`
  riuscito riuscita riusciti riuscite
  stato stata stati state andato andata andati andate arrivato arrivata arrivati arrivate venuto venuta venuti venute
  nato nata nati nate morto morta partito partita partiti partite uscito uscita usciti uscite entrato entrata entrati
  entrate rimasto rimasta rimasti rimaste tornato tornata diventato diventata diventati diventate divenuto divenuta
  caduto caduta cresciuto cresciuta riuscito riuscita successo successa avvenuto avvenuta accaduto accaduta salito
  salita sceso scesa passato passata vissuto vissuta piaciuto piaciuta stata sparito scomparso apparso
  tutto tutta tutti tutte molto lato lati mercato mercati risultato risultati vita vite data date gratuito gratuita
  gratuiti gratuite sito siti subito privato privata delicato delicata limite limiti qualità aiuto aiuti minuto
  minuti contenuto contenuti tenuta appuntamento adatto adatta adatti adatte ampiamente estate rate solito solita
  soliti solite educato educata complicato complicata fortunato fortunata rinomato abbinato avvocato avvocati
  muto muta fidato elevato elevata acuto acuta unito dotato dotata dotati dotate`);
const auxiliaries = wordSet(`
  essere sono è siamo siete era erano eravamo fu furono fui sarà saranno sarò saremo sarebbe sarebbero sia siano fosse
  fossero stato stata stati state essendo viene vengono veniva venivano venne vennero verrà verranno verrebbe
  verrebbero venga vengano venisse venire`);
const between = wordSet(`
  non già anche ancora sempre mai poi più bene male così oggi ieri solo solamente spesso stato stata stati state ora
  subito quasi appena infine inoltre quindi tuttavia però`);

export const italian: LanguageData = {
  code: 'it',
  functionWords,
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['né', 'né'],
      ['sia', 'che'],
      ['sia', 'sia'],
      ['o', 'oppure'],
      ['non', 'bensì'],
      ['tanto', 'quanto'],
    ],
  },
  findPassives: periphrasticPassive({
    isAuxiliary: (form) => auxiliaries.has(form),
    isParticiple: (form) => !notParticiples.has(form) && (irregular.test(form) || regular.test(form)),
    mayStandBetween: (form) => between.has(form) || (form.endsWith('mente') && form.length > 7),
    degreeWords: wordSet('molto troppo tanto più meno assai il lo la i gli le un uno una'),
    excludedBefore: wordSet('si mi ti ci vi'),
    window: 3,
  }),
  readingEase: {
    source: 'Franchina and Vacca 1972, adaptation of Flesch: 217 - 1.3 words/sentence - 60 syllables/word',
    score: (wordsPerSentence, syllablesPerWord) => 217 - 1.3 * wordsPerSentence - 60 * syllablesPerWord,
    countSyllables: countVowelGroups({
      vowels: 'aeiouàèéìíòóùú',
      hiatus: /[aeoàèéòó][aeoàèéòó]|[aeo][ìù]|[ìù][aeo]|[aeo]i[aeo]/g,
    }),
  },
  genericAnchors: phraseSet(`
    qui|clicca|clicca qui|clicca su questo link|cliccando qui|fai clic qui|premi qui|link|questo link|questa pagina|
    pagina|questo sito|sito|sito web|più|più info|più informazioni|maggiori informazioni|informazioni|info|dettagli|
    più dettagli|leggi|leggi di più|leggi tutto|leggi qui|continua|continua a leggere|scopri|scopri di più|
    scopri qui|vedi|vedi di più|vedi qui|mostra altro|guarda|vai|inizia|avanti|successivo|scarica|apri|indietro`),
  lightStarters: wordSet(
    "il lo la i gli le l' un uno una un' questo questa questi queste quello quella quelli quelle due tre quattro cinque sei sette otto nove dieci",
  ),
  abbreviations: wordSet(
    'sig sig.ra sigg dott dott.ssa dr prof ing avv arch geom spett es p.es tel ca gen feb mar apr mag giu lug ago sett ott nov dic',
  ),
  ordinalFollowers: new Set(),
};
