import { clausePassive } from './clausePassive.ts';
import { countVowelGroups } from './countVowelGroups.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';

const articlesAndPronouns = wordSet(`
  der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
  ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen meinem meiner meines
  dein deine deinen deinem deiner deines sein seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres
  unser unsere unseren unserem unserer unseres euer eure euren eurem eurer eures
  dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem welcher welche
  welches welchen welchem mancher manche manches manchen manchem solcher solche solches solchen solchem
  derjenige diejenige dasjenige derselbe dieselbe dasselbe wer wen wem wessen was man jemand jemanden jemandem
  niemand niemanden niemandem etwas nichts alles alle allen aller allem beide beiden einige einigen einiger
  mehrere mehreren viele vielen vieler viel wenig wenige wenigen andere anderen anderer anderes anderem selbst
  selber deren dessen denen dazu daran darauf daraus dabei dafür dagegen daher damit danach daneben davon davor
  darin darüber darum darunter worauf woran womit wofür wovon wozu`);
const smallWords = wordSet(`
  in im ins an am ans auf aufs aus bei beim bis durch für gegen ohne um von vom vor vorm zu zum zur über unter
  neben nach mit seit während wegen trotz statt anstatt außer gegenüber entlang innerhalb außerhalb laut gemäß ab
  hinter zwischen per pro je via
  und oder aber denn sondern doch als wie wenn weil dass daß ob da obwohl damit bevor nachdem sobald solange sowie
  sowohl weder noch entweder falls sofern indem wobei
  nicht auch nur schon noch sehr mehr immer wieder hier dort dann nun jetzt so zwar etwa fast ganz gar eben ja nein
  mal bereits bisher oft hin her wo wann warum weshalb wieso woher wohin meist einmal überhaupt sonst allerdings
  eins zwei drei vier fünf sechs sieben acht neun zehn erste ersten erster zweite zweiten dritte dritten`);
const auxiliaries = wordSet(`
  bin bist ist sind seid war warst waren wart sei seien wäre wären gewesen sein habe hast hat haben habt hatte
  hatten hattest hätte hätten gehabt werde wirst wird werden werdet wurde wurden wurdest würde würden geworden
  worden kann kannst können könnt konnte konnten könnte könnten darf darfst dürfen dürft durfte dürfte muss musst
  müssen müsst musste mussten müsste soll sollst sollen sollt sollte sollten will willst wollen wollt wollte
  wollten mag mögen möchte möchten`);

const participlePrefixes =
  '(?:ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|her|hervor|hin|hinzu|los|mit|nach|statt|um|unter|vor|weg|weiter|wieder|zu|zurück|zusammen|über|bereit|bekannt|hoch|teil|voran|voraus)?';
const weakParticiple = new RegExp(`^${participlePrefixes}ge[a-zäöüß]{2,24}t$`);
const strongParticiple = new RegExp(`^${participlePrefixes}ge[a-zäöüß]{2,24}en$`);
const inseparableParticiple = /^(?:be|emp|ent|er|miss|ver|zer|über|unter|wider|hinter)[a-zäöüß]{2,24}t$/;
const ierenParticiple = /^[a-zäöüß]{2,24}iert$/;
/** Infinitives, adjectives and adverbs that look like a participle with ge-. */
const notParticiples = wordSet(`
  geben gehen gelten gelangen geleiten gelingen genießen gewinnen gehören gefallen gestalten geschehen gewähren genügen gestatten
  gedenken gebären gebrauchen gefährden gegen genesen gestehen geraten gewährleisten gewöhnen gerben gewichten
  aufgeben ausgeben abgeben angeben eingeben zugeben weitergeben vorgeben bekanntgeben zurückgeben herausgeben
  angehen ausgehen eingehen umgehen vorgehen zugehen nachgehen hervorgehen begehen aufgehen abgehen weitergehen
  angehören zugehören dazugehören ausgestalten umgestalten mitgestalten angegangen gegangen vergangen
  gerecht gut gesamt geeignet insgesamt gewohnt bekannt berühmt beliebt bereit bestimmt beredt erst entfernt
  gesund gescheit geschickt gewiss gewandt genannt verliebt verrückt verwandt berechtigt überhaupt unterwegs
  gelegen gelegentlich angelegenheiten gelegenheiten gebieten gewässern gebäuden geräten gesetzen gefühlen
  geschäften gründen gelernt gerät gebiet gehalt gewicht gesicht geschäft gericht gedicht gerücht gebet gebot
  gespenst geist geld geburt gewalt gestalt geduld gegenwart übersicht verlust verdienst verdacht bericht besuch
  unterschrift unterkunft überschrift ersatzteilt erfolgt besteht entsteht versteht erhält enthält verbrauchen
  übernacht unterricht verzicht versandt zukunft zutat zustimmt zuletzt zuerst ernst herbst angst
  wirst verspricht entspricht übertrifft betrifft erscheint vermutlicht übrigbleibt verbleibt überwiegt bedeutet
  entfällt unterliegt übersteigt`);
/** Strong participles without ge-. */
const strongWithoutGe = wordSet(`
  begonnen begriffen behalten beholfen bekommen belassen beraten beschlossen beschrieben bestanden bestritten
  betreten betrieben betroffen bewiesen bewogen bezogen empfangen empfohlen enthalten entlassen entnommen
  entschieden entsprochen entworfen entzogen erfahren erfunden ergriffen erhalten erhoben erlassen ernannt
  erschienen erschlossen ersehen ertragen erwiesen erworben erzogen genommen unterbrochen unternommen unterschieden
  unterschrieben untersagt unterworfen unterzogen verbannt verboten verbracht verbrannt verbunden verfallen vergeben
  vergessen verglichen verhalten verladen verlangt verlassen verliehen verloren vermieden vernommen verraten
  verschlossen verschoben verschrieben versprochen verstanden vertreten vertrieben verwiesen verworfen verzogen
  zerbrochen zerrissen zerschnitten zerstört überfahren übergeben übernommen überschritten übersehen übertragen
  übertroffen überwiesen überwunden überzogen widersprochen hinterlassen missverstanden wiedergegeben bezwungen
  verschwiegen vertragen erlaubt besessen befohlen bestochen besprochen beworben angewiesen`);
/** Forms that are both participle and infinitive: "wird erhalten" may be the future, "wurde erhalten" may not. */
const sameAsInfinitive = wordSet(`
  behalten belassen beraten betreten empfangen enthalten entlassen erfahren erhalten erlassen ertragen verfallen
  vergeben vergessen verhalten verladen verlassen verraten vertragen überfahren übergeben übersehen übertragen
  hinterlassen`);

function isParticiple(form: string): boolean {
  if (strongWithoutGe.has(form)) return true;
  if (notParticiples.has(form)) return false;
  if (weakParticiple.test(form) || strongParticiple.test(form) || ierenParticiple.test(form)) return true;
  return inseparableParticiple.test(form);
}

const passiveAuxiliaries = wordSet(`
  werde wirst wird werden werdet wurde wurdest wurden wurdet worden würde würdest würden würdet`);

const transitionWords = wordSet(`
  aber abschließend allerdings also alternativ andererseits andernfalls anfangs anschließend ansonsten außerdem
  beispielsweise bevor besonders bislang da dabei dadurch dafür dagegen daher damals damit danach daneben dann
  daraufhin darüber darum davor dazu dementsprechend demgegenüber demnach demzufolge denn dennoch deshalb
  desto deswegen doch drittens durchaus ebenfalls ebenso eigentlich einerseits endlich entsprechend erstens
  falls ferner folglich freilich gegebenenfalls genauso gleichermaßen gleichfalls gleichwohl gleichzeitig
  grundsätzlich hierbei hierdurch hierfür hiermit hierzu hingegen immerhin indem indes indessen infolgedessen
  insbesondere inzwischen jedenfalls jedoch kurzum letztendlich letztens letztlich mithin mittlerweile
  nachdem nachher nämlich nebenbei nichtsdestotrotz nichtsdestoweniger obgleich obschon obwohl ohnehin schließlich
  seitdem selbstverständlich sobald sodass sofern sogar solange somit sondern sonst soweit sowie sowohl statt
  stattdessen trotz trotzdem überdies übrigens vielmehr vorher vorab während währenddessen wegen weil weiterhin
  weiters wenn wenngleich wiederum wobei wodurch wohingegen zuallererst zudem zuerst zuletzt zumal zumindest
  zunächst zusammenfassend zusätzlich zuvor zwar zweitens`);
const transitionPhrases = phraseList(`
  als beispiel|als folge|als nächstes|am anfang|am ende|an erster stelle|anders als|auch wenn|auf der anderen seite|
  auf der einen seite|auf diese weise|auf grund|auf jeden fall|aus diesem grund|aus diesem anlass|das heißt|
  darüber hinaus|dank dessen|des weiteren|ganz im gegenteil|genauer gesagt|im allgemeinen|im anschluss|
  im ergebnis|im folgenden|im gegensatz|im gegenteil|im grunde|im hinblick auf|im übrigen|im vergleich|im zuge|
  im unterschied|in anbetracht|in der folge|in der regel|in der tat|in diesem fall|in diesem sinne|
  in diesem zusammenhang|in erster linie|in letzter zeit|in kürze|in wirklichkeit|infolge von|je nachdem|
  kurz gesagt|mit anderen worten|nicht zuletzt|nach wie vor|ohne zweifel|sei es|so dass|so gesehen|so lange|
  um so mehr|umso mehr|unter anderem|unter diesen umständen|unter umständen|vor allem|vor allen dingen|
  von daher|wie bereits erwähnt|wie gesagt|zu guter letzt|zum beispiel|zum einen|zum anderen|zum schluss|
  zum vergleich|zur folge|zur veranschaulichung|zur zeit`);

export const german: LanguageData = {
  code: 'de',
  functionWords: new Set([...articlesAndPronouns, ...smallWords, ...auxiliaries]),
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['entweder', 'oder'],
      ['weder', 'noch'],
      ['sowohl', 'als'],
      ['nicht', 'sondern'],
      ['je', 'desto'],
      ['je', 'umso'],
    ],
  },
  findPassives: clausePassive({
    isAuxiliary: (form) => passiveAuxiliaries.has(form),
    isParticiple,
    clauseStarters: wordSet(
      'und oder aber denn sondern weil dass daß wenn ob obwohl während nachdem bevor damit',
    ),
    capitalsAreNouns: true,
    isAmbiguous: (form) => sameAsInfinitive.has(form),
    isPastAuxiliary: (form) => form.startsWith('wurde') || form === 'worden',
  }),
  readingEase: {
    source:
      'Amstad 1978, Wie verständlich sind unsere Zeitungen?: 180 - words/sentence - 58.5 syllables/word',
    score: (wordsPerSentence, syllablesPerWord) => 180 - wordsPerSentence - 58.5 * syllablesPerWord,
    countSyllables: countVowelGroups({
      vowels: 'aeiouyäöüáéèêàâ',
      hiatus:
        /(?:au|eu|äu|ei|ai)(?=[aeiouäöü])|i[aou]|ea|eo|eum$|(?<!q)ue(?=ll)|(?<!q)ua|(?<=[a-zäöüß]{3})ien$/g,
    }),
  },
  genericAnchors: phraseSet(`
    hier|hier klicken|klick hier|klicken sie hier|klicke hier|klicken|link|dieser link|diesem link|diese seite|
    dieser seite|seite|webseite|website|mehr|mehr dazu|mehr erfahren|erfahren sie mehr|erfahre mehr|mehr lesen|
    mehr infos|mehr informationen|weitere informationen|weitere infos|infos|informationen|details|zu den details|
    weiter|weiterlesen|weiter lesen|lesen|jetzt lesen|hier lesen|jetzt ansehen|ansehen|anzeigen|mehr anzeigen|los|
    start|zur seite|zum artikel|zum beitrag|download|herunterladen|öffnen|zurück`),
  lightStarters: wordSet(
    'der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem eins zwei drei vier fünf sechs sieben acht neun zehn',
  ),
  abbreviations: wordSet(`
    dr prof dipl ing hr fr frl str bzw z.b z.t z.zt d.h u.a u.ä o.ä o.g i.d.r i.a v.a s.o s.u evtl ggf inkl exkl
    zzgl max mind mio mrd bspw vgl st jan feb mär apr jun jul aug sep sept okt nov dez geb gest sog ca allg`),
  finalAbbreviations: wordSet('v.chr n.chr'),
  ordinalFollowers: wordSet(`
    januar februar märz april mai juni juli august september oktober november dezember jänner jahrhundert
    jahrhunderts generation auflage mal stock platz quartal klasse etage gang geburtstag jahrestag weltkrieg person
    semester kapitel jahrtausend hand serie runde liga`),
};
