import { clausePassive } from './clausePassive.ts';
import { countVowelGroups } from './countVowelGroups.ts';
import { type LanguageData, phraseList, phraseSet, wordSet } from './LanguageData.ts';

const functionWords = wordSet(`
  de het een 't 'n deze dit die dat zulke zo'n elk elke ieder iedere alle al beide sommige enkele enige andere ander
  geen veel weinig meer meeste minder minste mijn m'n jouw je zijn z'n haar hun ons onze uw jullie
  ik jij hij zij ze wij we u mij me jou hem hen zich zichzelf elkaar er wie wat welke welk waar wiens iemand niemand
  iets niets men zelf degene
  in op aan bij van voor met zonder uit naar over onder tot door tegen tussen om na sinds sedert tijdens volgens
  wegens vanwege dankzij ondanks binnen buiten boven beneden naast achter langs rond per via te ter ten af toe mee
  vanaf behalve
  en of maar want dus noch als dan toen terwijl omdat doordat hoewel ofschoon tenzij indien mits zodat opdat voordat
  nadat zodra zolang zoals
  niet wel ook nog al reeds zeer erg heel zo te nu hier daar weer altijd nooit vaak soms alleen slechts pas toch even
  ja nee hoe waarom wanneer eens bijna vrij best eigenlijk daarna eerst verder erop eraan ermee erin ervan ervoor
  hiermee hierdoor waarmee waarin waardoor waarop waarvan daarom daarmee daarvoor
  ben bent is zijn was waren geweest wees heb hebt heeft hebben had hadden gehad word wordt worden werd werden
  geworden zal zult zullen zou zouden kan kunt kunnen kon konden mag mogen mocht mochten moet moeten moest moesten
  wil wilt willen wilde wilden doe doet doen deed deden gedaan ga gaat gaan ging gingen laat laten
  één twee drie vier vijf zes zeven acht negen tien eerste tweede derde`);

const transitionWords = wordSet(`
  aangezien aanvankelijk als achteraf afgezien alhoewel allereerst alsook alvorens anders anderzijds behalve   bijgevolg bijvoorbeeld bovendien bovenal concluderend daar daarbij daarbuiten daardoor daarenboven daarentegen
  daarna daarnaast daarom daarop daartoe daarvoor dankzij dan derhalve desalniettemin desondanks destijds
  doch doordat doorgaans dus echter eerst eindelijk enerzijds eveneens evenals eventueel evenwel evenzeer
  feitelijk geleidelijk gelijktijdig hierbij hierdoor hierna hierom hiertoe hiervoor hoewel immers indien
  inmiddels integendeel intussen kortom later maar meestal mits naarmate nadat namelijk natuurlijk
  nadien niettegenstaande niettemin nochtans nogmaals ofschoon ondanks ondertussen ook omdat opdat overigens
  samengevat samenvattend sedert sindsdien sowieso telkens tegelijkertijd tenslotte tenzij terwijl tevens
  toch toen trouwens uiteindelijk uiteraard vanwege vanzelfsprekend vervolgens voorafgaand vooral voorts voordat
  voorheen vermits waardoor waarom wanneer want wegens weliswaar zelfs zoals zodat zodoende zodra zolang zomede`);
const transitionPhrases = phraseList(`
  aan de andere kant|aan de ene kant|aan de hand van|al met al|alles bij elkaar|als gevolg van|als het ware|
  als laatste|als resultaat|als voorbeeld|anders dan|anders gezegd|daarbij komt|dat wil zeggen|
  dit wil zeggen|door middel van|eerder genoemd|een ander voorbeeld|
  evenmin als|gezien het feit|hetzelfde als|hierbij komt|hoe dan ook|in dat geval|in de eerste plaats|
  in de praktijk|in de tussentijd|in deze context|in dit geval|in elk geval|in feite|in geval van|
  in het algemeen|in het bijzonder|in het kort|in ieder geval|in overeenstemming met|in plaats van|
  in principe|in tegenstelling tot|in tweede instantie|in vergelijking met|in verband met|in werkelijkheid|
  kort gezegd|kort samengevat|laat staan|met als doel|met als gevolg|met andere woorden|met betrekking tot|
  met dat doel|met het doel|met het oog op|met name|met uitzondering van|met welk doel|met de bedoeling|
  na verloop van tijd|naar aanleiding van|namelijk omdat|net als|net zoals|net zo|niet alleen|nog een|
  om die reden|om te beginnen|om te besluiten|omwille van|onder andere|onder meer|ondanks dat|op basis van|
  op deze manier|op dezelfde manier|op die manier|op grond van|op het moment|op het eerste gezicht|
  op voorwaarde dat|onder voorwaarde dat|over het algemeen|sinds kort|ten aanzien van|ten behoeve van|
  ten derde|ten eerste|ten gevolge van|ten opzichte van|ten slotte|ten tweede|ter conclusie|ter illustratie|
  ter samenvatting|ter vergelijking|te danken aan|te wijten aan|tegelijk met|terwijl dat|tot besluit|
  tot nu toe|tot slot|tot voor kort|uit dit alles|van daaruit|van tevoren|verder nog|vergeleken met|
  voor zover|voornamelijk omdat|vooral omdat|wat betreft|zo gezegd|zo nu en dan|zo ook|zo snel als|zowel als`);

const prefixes =
  '(?:aan|achter|af|bij|binnen|bloot|boven|buiten|dicht|door|goed|groot|heen|herin|in|klaar|los|mede|mee|na|neer|om|onder|op|open|over|plaats|rond|samen|schoon|stil|tegen|teleur|terecht|terug|thuis|toe|uit|vast|vol|voor|vooruit|vrij|waar|weg|weer)?';
const withGe = new RegExp(`^${prefixes}ge[a-zëïéü]{2,24}(?:d|t|en|an)$`);
const inseparable = /^(?:be|door|er|ge|her|mis|onder|ont|over|ver|vol|weer)[a-zëïéü]{2,24}[dt]$/;
const notParticiples = wordSet(`
  overheid overzicht overlast overtocht onderzoekt ondersteunt overblijft overeenkomst weerstand doorgaand
  geen geld gelijk gebied gebieden gebruiken gebeuren geven gelden genieten geloven geraken gedurende gewicht
  gezicht gedicht gerecht gevecht geluid gemeente gemeenten gezond verstand verband verbaasd
  verliefd verkeerd vertrouwd verwend verhuizen beeld bestand belangen bericht besluit beleid bekend beroemd
  bevoegd bewust verschillend gebouwen gegevens gevolgen geval gevallen gesprekken gezinnen gelegen gestel
  gebaat gewoonten gevoelens gerechten geschenken geheimen gewend getrouwd gespecialiseerd geschikt geïnteresseerd
  gemakken ergst eerst herfst ontwerpt verlangt vereist betekent bestaat ontstaat verstaat geschiedt behoort
  betreft bevat begint verschilt verdient vergt gebeurt geniet gelooft geldt gewoont tevreden genoeg
  geleden vergaan gegaan gekomen gebleven gebleken geworden geweest overgegaan aangekomen omgegaan doorgegaan`);
const strongWithoutGe = wordSet(`
  begonnen begrepen behouden bekeken besloten besproken betrokken bevolen bewezen bezocht bezeten beschreven
  overschreven omschreven voorgeschreven ingeschreven overgeschreven benomen bedacht bedrogen gekozen herzien herkozen herschreven ondernomen ondervonden onderzocht onderscheiden
  onderworpen onthouden ontnomen ontslagen ontvangen ontworpen overgenomen overwogen overwonnen verboden verbonden
  verdreven vergeleken vergeten verkregen verlaten verloren vernomen verschoven verslagen versleten verstaan vertrokken
  vervangen verwezen verworpen verworven verzonden verzonnen voorkomen voorzien omgeven aanvaard achterhaald overtuigd
  weerlegd volbracht misbruikt bevonden ontbonden verholpen voldaan toegestaan afgestaan bijgestaan`);

function isParticiple(form: string): boolean {
  if (strongWithoutGe.has(form)) return true;
  return (
    !notParticiples.has(form) &&
    !form.startsWith('omgeving') &&
    (withGe.test(form) || inseparable.test(form) || /^[a-zëïéü]{3,20}eerd$/.test(form))
  );
}

const auxiliaries = wordSet('word wordt worden werd werden');

export const dutch: LanguageData = {
  code: 'nl',
  functionWords,
  transitions: {
    words: transitionWords,
    phrases: transitionPhrases,
    pairs: [
      ['enerzijds', 'anderzijds'],
      ['hetzij', 'hetzij'],
      ['niet', 'maar'],
      ['noch', 'noch'],
      ['zowel', 'als'],
      ['hoe', 'des'],
    ],
  },
  findPassives: clausePassive({
    isAuxiliary: (form) => auxiliaries.has(form),
    isParticiple,
    clauseStarters: wordSet(
      'en of maar want dus omdat doordat dat als terwijl hoewel nadat voordat zodat wanneer',
    ),
    capitalsAreNouns: false,
    // The future is formed with “zullen”, so nothing is ambiguous with “worden”.
    isAmbiguous: () => false,
    isPastAuxiliary: () => true,
  }),
  readingEase: {
    source:
      'Douma 1960, De leesbaarheid van landbouwbladen: 206.84 - 77 syllables/word - 0.93 words/sentence',
    score: (wordsPerSentence, syllablesPerWord) => 206.84 - 77 * syllablesPerWord - 0.93 * wordsPerSentence,
    countSyllables: countVowelGroups({
      vowels: 'aeiouyàáâäèéêëïîíôöóüúû',
      // A diaeresis starts a syllable; a long diphthong before another vowel ends one.
      hiatus: /[aeiou][ëïöü]|(?:aai|oei|ooi|ieu|eeu|ij|ei|au|ou|ui)(?=[aeo])|i[ao]|e[ao]/g,
    }),
  },
  genericAnchors: phraseSet(`
    hier|klik|klik hier|klik dan hier|hier klikken|via deze link|deze link|link|deze pagina|pagina|deze site|
    deze website|website|site|meer|meer info|meer informatie|informatie|info|details|meer details|lees meer|
    lees verder|lees hier|lees dit|verder lezen|meer lezen|bekijk|bekijk hier|bekijk meer|bekijk details|
    toon meer|meer weten|kom meer te weten|ontdek meer|verder|volgende|ga verder|ga|start|begin|download|
    downloaden|open|terug`),
  lightStarters: wordSet('de het een deze dit die dat twee drie vier vijf zes zeven acht negen tien'),
  abbreviations: wordSet(`
    dr drs ir ing mr mevr dhr prof st bijv bv b.v d.w.z o.a m.b.t t.a.v t/m i.v.m e.d ca incl excl evt resp tel blz jan
    feb mrt apr jun jul aug sept okt nov dec mln mld`),
  ordinalFollowers: new Set(),
};
