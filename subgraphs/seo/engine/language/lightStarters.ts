import { wordSet } from './LanguageData.ts';

/**
 * First words that repeat naturally in languages without a file of their own: articles, demonstratives and numerals up
 * to ten.
 */
const lightStarters = new Map<string, ReadonlySet<string>>([
  ['af', wordSet('die n hierdie daardie een twee drie vier vyf ses sewe agt nege tien')],
  [
    'ca',
    wordSet(`
      el la els les l' lo los un una uns unes en na aquest aquesta aquests aquestes aquell aquella aquells aquelles dos
      dues tres quatre cinc sis set vuit nou deu`),
  ],
  ['cy', wordSet('y yr r un dau dwy tri tair pedwar pump chwech saith wyth naw deg')],
  ['da', wordSet('en et den det de denne dette disse to tre fire fem seks syv otte ni ti')],
  [
    'el',
    wordSet(`
      ο η το οι τα του της των τον την τους τις ένας μια μία ένα αυτός αυτή αυτό αυτοί αυτές αυτά δύο τρεις τρία
      τέσσερις τέσσερα πέντε έξι επτά εφτά οκτώ οχτώ εννέα εννιά δέκα`),
  ],
  ['eo', wordSet('la tiu tiuj tio unu du tri kvar kvin ses sep ok naŭ dek')],
  ['ga', wordSet('an na seo sin aon dó dhá trí ceithre cúig sé seacht ocht naoi deich')],
  [
    'gl',
    wordSet(`
      o a os as un unha uns unhas este esta estes estas ese esa eses esas aquel aquela dous dúas tres catro cinco seis
      sete oito nove dez`),
  ],
  ['hu', wordSet('a az egy ez ezek azok két kettő három négy öt hat hét nyolc kilenc tíz')],
  [
    'no',
    wordSet('en ei et ein eit den det de denne dette desse disse to tre fire fem seks sju syv åtte ni ti'),
  ],
  [
    'ro',
    wordSet(`
      un o niște acest această acești aceste acel acea acei acele cel cea cei cele doi două trei patru cinci șase șapte
      opt nouă zece`),
  ],
  ['sv', wordSet('en ett den det de denna detta dessa två tre fyra fem sex sju åtta nio tio')],
]);

/** Returns the light starters of a language; empty if none are known. */
export function findLightStarters(language: string): ReadonlySet<string> {
  return lightStarters.get(language) ?? new Set();
}
