import { countVowelGroups } from './countVowelGroups.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';
import { periphrasticPassive } from './periphrasticPassive.ts';

const functionWords = wordSet(`
  el la los las lo un una unos unas al del este esta estos estas ese esa esos esas aquel aquella aquellos aquellas
  esto eso aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras cada
  algún alguna algunos algunas ningún ninguna otro otra otros otras todo toda todos todas mucho mucha muchos muchas
  poco poca pocos pocas varios varias cualquier mismo misma mismos mismas tal tales
  yo tú él ella ello usted nosotros nosotras vosotros vosotras ellos ellas ustedes me te se nos os le les mí ti sí
  conmigo contigo consigo que quien quienes cual cuales cuyo cuya cuyos cuyas qué quién cuál alguien nadie algo nada
  a ante bajo con contra de desde durante en entre hacia hasta mediante para por según sin sobre tras versus vía
  y e o u ni pero sino mas porque pues si como cuando donde aunque mientras
  no más menos muy tan tanto también tampoco ya aún todavía siempre nunca jamás solo sólo aquí ahí allí así bien mal
  entonces luego después antes ahora hoy casi además incluso cómo cuándo dónde cuánto
  ser soy eres es somos sois son era eras éramos eran fui fue fuimos fueron seré será serán sería serían sea sean
  sido siendo estar estoy estás está estamos están estaba estaban estuvo estado haber he has ha hemos han había
  habían hay hubo habrá habría haya tener tengo tiene tienes tenemos tienen tenía hacer hace hacen puede pueden
  poder podrá podría debe deben deber va van ir
  uno dos tres cuatro cinco seis siete ocho nueve diez primero primera`);

const transitionWords = wordSet(`
  además adicionalmente ahora anteriormente antes aparentemente así asimismo aun aunque básicamente brevemente
  ciertamente claramente comparativamente concluyendo concretamente conforme conque consecuentemente
  consiguientemente cuando después efectivamente empero entonces especialmente específicamente eventualmente
  evidentemente excepto finalmente frecuentemente generalmente igualmente incluso indudablemente inicialmente
  inmediatamente luego mas mientras naturalmente normalmente obviamente ocasionalmente particularmente pero porque
  posteriormente precisamente previamente primeramente primero principalmente próximamente pues realmente
  recientemente resumiendo salvo seguidamente segundo semejantemente siempre similarmente simultáneamente sino
  sobretodo también tampoco tanto tercero todavía últimamente ulteriormente verbigracia`);
const transitionPhrases = phraseList(`
  a causa de|a continuación|a diferencia de|a fin de|a fin de cuentas|a la inversa|a la larga|a menos que|
  a menudo|a partir de|a pesar de|a propósito|a saber|a su vez|a través de|acerca de|al contrario|al fin|al final|
  al igual que|al menos|al mismo tiempo|al principio|ante todo|antes de|antes que|así como|así pues|así que|
  aun así|cabe destacar|como consecuencia|como ejemplo|como por ejemplo|como resultado|con el fin de|
  con esto en mente|con frecuencia|con motivo de|con respecto a|con tal de que|considerando que|conviene recordar|
  cuando menos|dado que|de acuerdo con|de ahí que|de cualquier manera|de esta forma|de esta manera|de este modo|
  de forma similar|de hecho|de igual forma|de igual manera|de igual modo|de la misma manera|de lo contrario|
  de manera que|de modo que|de otra manera|de otro modo|de repente|de todas formas|de todos modos|debido a|
  del mismo modo|dentro de poco|desde entonces|desde luego|después de|después de todo|donde sea|en cambio|
  en cierto modo|en comparación|en conclusión|en concreto|en consecuencia|en contraste|en cuanto a|
  en definitiva|en detalle|en efecto|en el caso de|en el pasado|en especial|en este caso|en este momento|
  en este sentido|en fin|en general|en la actualidad|en la práctica|en líneas generales|en lugar de|
  en otras palabras|en otro orden|en particular|en pocas palabras|en primer lugar|en principio|en realidad|
  en resumen|en resumidas cuentas|en segundo lugar|en síntesis|en suma|en tal caso|en tercer lugar|en todo caso|
  en última instancia|en último lugar|en vez de|en vista de|es decir|es más|es por esto|es por eso|esto es|
  fue entonces cuando|gracias a|hasta ahora|hasta aquí|hasta el momento|hasta que|hay que añadir|igual que|
  junto con|lo mismo que|lo que es más|lo primero|mientras que|mientras tanto|nada más|no obstante|
  o sea|para acabar|para concluir|para empezar|para finalizar|para ilustrar|para que|para resumir|para terminar|
  pero también|por añadidura|por cierto|por consiguiente|por ejemplo|por ello|por eso|por esta razón|
  por este motivo|por fin|por lo cual|por lo demás|por lo general|por lo menos|por lo tanto|por otra parte|
  por otro lado|por su parte|por supuesto|por tanto|por todo ello|por último|por un lado|por una parte|
  por una vez|puesto que|quizás sea|rara vez|respecto a|si bien|siempre que|siempre y cuando|sin duda|sin embargo|
  sobre todo|supuesto que|tal como|tales como|tan pronto como|tanto como|una vez más|una vez que|visto que|
  ya que|ya sea`);

const irregular =
  /^(?:hech|dich|vist|puest|escrit|abiert|rot|cubiert|descubiert|resuelt|devuelt|impres|frit|satisfech|propuest|compuest|dispuest|expuest|impuest|supuest|inscrit|descrit|prescrit|absuelt|disuelt|envuelt|previst|revist|elect)[oa]s?$/;
const regular = /^[a-záéíóúüñ]{2,24}(?:ad|id|íd)[oa]s?$/;
/** Adjectives such as `tímido`; a participle has no accent before its ending. */
const accented = /[áéíóúâêô].*(?:ad|id)[oa]s?$/;
const notParticiples = wordSet(`
  ido idos venido llegado estado sido lado lados grado grados mercado mercados resultado resultados estado estados
  vida vidas medida medidas comida partida salida salidas llegada entrada entradas cada nada todavía ciudad mitad
  marido sonido sonidos contenido sentido vestido vestidos apellido partido partidos pasado pasada delgado delgada
  adecuado adecuada adecuados adecuadas complicado complicada complicados complicadas cansado cansada demasiado
  demasiada demasiados demasiadas rápido rápida rápidos rápidas sólido sólida sólidos sólidas válido válida válidos válidas cálido cálida
  líquido líquida ácido ácida único única híbrido híbrida híbridos híbridas espléndido espléndida cómodo cómoda
  elevado elevada elevados elevadas privado privada divertido divertida aburrido aburrida parecido parecida
  parecidos parecidas educado educada soldado soldados abogado abogada abogados delicado delicada variado variada`);

const auxiliaries = wordSet(`
  ser soy eres es somos sois son era eras éramos erais eran fui fuiste fue fuimos fuisteis fueron seré serás será
  seremos serán sería serías seríamos serían sea seas seamos sean fuera fueran fuese fuesen sido siendo`);
const between = wordSet(`
  no ya también siempre nunca aún todavía muy bien mal así después ahora hoy ayer casi solo sólo además incluso
  posteriormente entonces más luego previamente él ella ellos ellas`);

export const spanish: LanguageData = {
  code: 'es',
  functionWords,
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['ni', 'ni'],
      ['ya', 'ya'],
      ['bien', 'bien'],
      ['no', 'sino'],
      ['tanto', 'como'],
    ],
  },
  findPassives: periphrasticPassive({
    isAuxiliary: (form) => auxiliaries.has(form),
    isParticiple: (form) =>
      !notParticiples.has(form) && (irregular.test(form) || (regular.test(form) && !accented.test(form))),
    mayStandBetween: (form) => between.has(form) || (form.endsWith('mente') && form.length > 7),
    degreeWords: wordSet('muy tan más menos bastante demasiado el la los las un una unos unas'),
    window: 3,
  }),
  readingEase: {
    source:
      'Fernández Huerta 1959, Medidas sencillas de lecturabilidad: 206.84 - 60 syllables/word - 1.02 words/sentence',
    score: (wordsPerSentence, syllablesPerWord) => 206.84 - 60 * syllablesPerWord - 1.02 * wordsPerSentence,
    countSyllables: countVowelGroups({
      vowels: 'aeiouáéíóúü',
      // Two open vowels, or a stressed closed one next to an open one, are two syllables.
      hiatus: /[aeoáéó][aeoáéó]|[aeo][íú]|[íú][aeo]|(?<=[gq])u[eéií][aeoáó]/g,
    }),
  },
  genericAnchors: phraseSet(`
    aquí|haz clic|haz clic aquí|haga clic aquí|clic aquí|pulsa aquí|pincha aquí|click aquí|enlace|este enlace|
    esta página|página|este sitio|sitio web|web|más|más info|más información|más detalles|información|detalles|
    leer más|lee más|leer|seguir leyendo|saber más|ver|ver más|ver aquí|ver detalles|mostrar más|conoce más|
    continuar|siguiente|empezar|comenzar|ir|descargar|descarga|abrir|entra aquí|volver|descubre más`),
  lightStarters: wordSet(
    'el la los las lo un una unos unas este esta estos estas ese esa esos esas dos tres cuatro cinco seis siete ocho nueve diez',
  ),
  abbreviations: wordSet(
    'sr sra sres dr dra d dña lic ing prof ud uds vd aprox tel avda pza ej p.ej av dpto izq dcha',
  ),
  finalAbbreviations: wordSet('ee.uu rr.hh ff.aa cc.aa cc.oo jj.oo a.c d.c'),
  ordinalFollowers: new Set(),
};
