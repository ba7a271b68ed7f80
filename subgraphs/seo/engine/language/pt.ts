import { countVowelGroups } from './countVowelGroups.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';
import { periphrasticPassive } from './periphrasticPassive.ts';

const functionWords = wordSet(`
  o a os as um uma uns umas ao à aos às do da dos das no na nos nas pelo pela pelos pelas num numa nuns numas dum duma
  deste desta destes destas desse dessa neste nesta nestes nestas nesse nessa naquele naquela daquele daquela
  este esta estes estas esse essa esses essas aquele aquela aqueles aquelas isto isso aquilo disso disto nisso
  meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas vosso vossa cada algum alguma
  alguns algumas nenhum nenhuma outro outra outros outras todo toda todos todas tudo muito muita muitos muitas pouco
  pouca poucos poucas vários várias qualquer quaisquer mesmo mesma mesmos mesmas tal tais
  eu tu ele ela você nós vós eles elas vocês me te se lhe lhes nos vos mim ti si comigo contigo consigo conosco que quem
  qual quais cujo cuja cujos cujas alguém ninguém algo nada quanto quanta quantos quantas dele dela deles delas
  ante após até com contra de desde durante em entre mediante para perante por sem sob sobre segundo via pra
  e ou nem mas porém porque pois se como quando onde embora enquanto caso
  não mais menos tão também já ainda sempre nunca só somente apenas aqui ali aí lá assim bem mal então depois
  antes agora hoje quase além inclusive sim bastante logo
  ser sou és é somos são era eras éramos eram fui foi fomos foram serei será serão seria seriam seja sejam fosse
  fossem sido sendo estar estou está estamos estão estava estavam esteve estiveram esteja ter tenho tem temos têm
  tinha tinham teve tiveram terá teria tenha haver há havia houve fazer faz fazem fez pode podem poder poderá poderia
  deve devem dever vai vão ir
  dois duas três quatro cinco seis sete oito nove dez primeiro primeira`);

const transitionWords = wordSet(`
  adicionalmente afinal agora ainda aliás analogamente anteriormente antes aparentemente apesar aproximadamente
  assim atualmente certamente claramente comparativamente concluindo conforme consequentemente
  consoante contrariamente contudo decerto depois definitivamente diferentemente efetivamente embora enfim
  enquanto então entretanto especialmente especificamente eventualmente evidentemente exceto felizmente finalmente
  frequentemente geralmente igualmente imediatamente inclusive indubitavelmente inegavelmente infelizmente
  inicialmente já logo mas mediante naturalmente nomeadamente normalmente obviamente ocasionalmente
  outrossim particularmente pois porém porquanto porque portanto posteriormente precisamente preliminarmente
  presentemente previamente primeiramente primeiro principalmente provavelmente quando realmente recentemente
  resumidamente salvo segundo semelhantemente sempre senão similarmente simultaneamente sobretudo sucessivamente
  também tampouco terceiro todavia ulteriormente ultimamente`);
const transitionPhrases = phraseList(`
  a fim de|a menos que|a não ser que|a partir de|a princípio|a propósito|a respeito de|a saber|a seguir|
  a título de exemplo|acerca de|ainda assim|ainda que|ainda mais|além de|além do mais|além disso|além disto|
  antes de mais|antes de tudo|antes que|ao contrário|ao contrário de|ao fim e ao cabo|ao final|ao invés de|
  ao longo de|ao menos|ao mesmo tempo|ao passo que|ao que parece|apesar de|apesar disso|apesar de tudo|
  assim como|assim que|assim sendo|até agora|até que|bem como|cada vez mais|caso contrário|com certeza|
  com efeito|com exceção de|com isso|com o fim de|com o objetivo de|com o propósito de|com relação a|
  com tudo isso|como consequência|como exemplo|como resultado|como se|contanto que|da mesma forma|
  da mesma maneira|dado que|de acordo com|de agora em diante|de certa forma|de fato|de facto|de forma que|
  de igual forma|de maneira que|de modo geral|de modo que|de outra forma|de outro modo|de qualquer forma|
  de qualquer maneira|de qualquer modo|de repente|de tal forma|de tempos em tempos|de todo modo|depois de|
  depois que|desde então|desde que|dessa forma|dessa maneira|desse modo|desta forma|desta maneira|deste modo|
  devido a|do mesmo modo|dito isso|dito isto|e também|em adição|em outras palavras|em particular|
  em primeiro lugar|em princípio|em razão de|em relação a|em resumo|em segundo lugar|em seguida|em síntese|
  em suma|em termos gerais|em todo caso|em todo o caso|em último lugar|em vez de|em vista de|
  em virtude de|em comparação com|em conclusão|em conformidade com|em consequência|em contrapartida|
  em contraste|em função de|em geral|enquanto isso|graças a|isto é|já que|levando em conta|
  logo depois|logo que|mais cedo ou mais tarde|mais tarde|mas também|mesmo assim|mesmo que|na maioria dos casos|
  na medida em que|na prática|na realidade|na verdade|não apenas|não obstante|não só|nesse caso|nesse sentido|
  neste caso|neste sentido|no caso de|no começo|no entanto|no fim das contas|no final|no geral|no início|
  no momento|no que diz respeito|ou melhor|ou seja|para começar|para concluir|para finalizar|para ilustrar|
  para isso|para que|para resumir|para terminar|por assim dizer|por causa de|por causa disso|por certo|
  por conseguinte|por consequência|por conta de|por enquanto|por essa razão|por essas razões|por exemplo|por fim|
  por isso|por mais que|por meio de|por outras palavras|por outro lado|por sua vez|por último|por um lado|
  posto que|pouco a pouco|quanto a|seja como for|sem dúvida|sempre que|só para ilustrar|sob o mesmo ponto|
  tais como|tal como|tal qual|tanto quanto|tendo em conta|tendo em vista|todas as vezes que|tudo bem|
  uma vez que|vale lembrar|visto que`);

const irregular =
  /^(?:feit|refeit|satisfeit|dit|vist|previst|revist|post|propost|compost|expost|impost|dispost|escrit|descrit|inscrit|prescrit|abert|cobert|descobert|pag|ganh|gast|entregue|aceit|eleit|mort|impress|pres|suspens|expuls|limp|salv|solt|incluíd|excluíd|construíd|destruíd|atribuíd|distribuíd|substituíd|reduzid|produzid)[oa]?s?$/;
const regular = /^[a-záâãçéêíóôõúü]{2,24}(?:ad|id|íd)[oa]s?$/;
/** Adjectives such as `tímido`; a participle has no accent before its ending. */
const accented = /[áéíóúâêô].*(?:ad|id)[oa]s?$/;
const notParticiples = wordSet(`
  ido sido estado vindo chegado lado lados mercado mercados resultado resultados vida vidas medida medidas comida saída
  saídas entrada entradas cada nada cidade partida chegada sentido marido apelido partido passado passada adequado
  adequada adequados adequadas complicado complicada complicados complicadas cansado cansada rápido rápida rápidos
  rápidas sólido sólida válido válida válidos válidas líquido líquida ácido híbrido híbrida híbridos híbridas cuidado
  elevado elevada elevados elevadas privado privada divertido divertida parecido parecida delicado delicada soldado
  advogado advogada educado educada variado variada variados variadas obrigado obrigada dado dita`);
const auxiliaries = wordSet(`
  ser seres sermos serem sou és é somos são era eras éramos eram fui foste foi fomos foram serei serás será seremos serão seria serias
  seríamos seriam seja sejas sejamos sejam fosse fossem for forem sido sendo fora`);
const between = wordSet(`
  não já também sempre nunca ainda bem mal assim depois agora hoje ontem quase apenas só mais logo então novamente
  ele ela eles elas posteriormente previamente`);

export const portuguese: LanguageData = {
  code: 'pt',
  functionWords,
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['nem', 'nem'],
      ['ora', 'ora'],
      ['quer', 'quer'],
      ['seja', 'seja'],
      ['não', 'mas'],
      ['tanto', 'como'],
    ],
  },
  findPassives: periphrasticPassive({
    isAuxiliary: (form) => auxiliaries.has(form),
    isParticiple: (form) =>
      !notParticiples.has(form) && (irregular.test(form) || (regular.test(form) && !accented.test(form))),
    mayStandBetween: (form) => between.has(form) || (form.endsWith('mente') && form.length > 7),
    degreeWords: wordSet('muito tão mais menos bastante demasiado o a os as um uma'),
    window: 3,
  }),
  readingEase: {
    source:
      'Martins, Ghiraldelo, Nunes and Oliveira 1996, Readability formulas applied to textbooks in Brazilian Portuguese: 248.835 - 1.015 words/sentence - 84.6 syllables/word',
    score: (wordsPerSentence, syllablesPerWord) =>
      248.835 - 1.015 * wordsPerSentence - 84.6 * syllablesPerWord,
    countSyllables: countVowelGroups({
      vowels: 'aeiouáâãàéêíóôõúü',
      // Two open vowels or a stressed closed one are separate; the nasal diphthongs ão, õe, ãe are one syllable.
      hiatus: /[aeoáéóâêô][aeoáéóâêô]|[aeo][íú]|[íú][aeo]|[aeo]i[aeo]|i[ãõ]/g,
    }),
  },
  genericAnchors: phraseSet(`
    aqui|clique|clique aqui|clicar aqui|clica aqui|neste link|este link|link|esta página|página|este site|site|mais|
    mais info|mais informações|informações|detalhes|mais detalhes|leia mais|ler mais|leia|continue lendo|
    continuar a ler|saiba mais|saber mais|veja|veja mais|ver mais|ver|veja aqui|ver detalhes|mostrar mais|
    conheça mais|continuar|próximo|seguinte|começar|ir|baixar|baixe aqui|descarregar|download|abrir|voltar`),
  lightStarters: wordSet(
    'o a os as um uma uns umas este esta estes estas esse essa esses essas isto isso dois duas três quatro cinco seis sete oito nove dez',
  ),
  abbreviations: wordSet(
    'sr sra srs dr dra prof profa eng av d exmo exma aprox tel ex p.ex pág jan fev mar abr jun jul ago set out nov dez ltda',
  ),
  ordinalFollowers: new Set(),
};
