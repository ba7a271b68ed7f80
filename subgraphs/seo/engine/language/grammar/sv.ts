import { type FindPassives, phraseList, wordSet } from '../LanguageData.ts';
import { periphrasticPassive } from '../periphrasticPassive.ts';
import { type Grammar, wordPassive } from './Grammar.ts';

const auxiliaries = wordSet('bli blir blev blivit blivits');
/** Participles: såld, sålt, sålda; reparerad, reparerat, reparerade; skriven, skrivet, skrivna. */
const participle =
  /^[a-zåäö]{2,24}(?:er|k|l|r|n|g|t|m|p|v|s|d)a(?:d|t|de)$|^[a-zåäö]{1,24}(?:riv|tag|giv|håll|skur|brut|bjud|vun|drag|slag|bit|sprid)(?:en|et|na)$/;
const shortParticiples = wordSet(`
  såld sålt sålda köpt köpta byggd byggt byggda gjord gjort gjorda ställd ställt ställda satt satta lagd lagt lagda
  hörd hört hörda sedd sett sedda körd kört körda stängd stängt stängda glömd glömt glömda påkörd påkört påkörda
  utförd utfört utförda levererad fälld fällt fällda skadad skadat skadade använd använt använda bytt bytta`);
/** Adjectives of the same shape: "blev glad". */
const notParticiples = wordSet('glad glatt glada stor bra rädd rätt sen tyst trött kall klar');
const between = wordSet(
  'inte redan också alltid aldrig sedan snart nu då där här ofta sällan helt nyligen ännu åter',
);

/** Passives with -s: repareras, reparerades, reparerats. Genitives do not have these endings. */
const passiveEnding = /^[a-zåäö]{2,24}(?:eras|erades|erats|[bdfgjklmnprstv]ades)$/;
const commonPassives = wordSet(`
  säljs såldes sålts köps köptes köpts byggs byggdes byggts görs gjordes gjorts används användes använts byts byttes
  bytts ges gavs getts tas togs tagits skrivs skrevs skrivits ställs ställdes ställts sätts sattes läggs lades lagts
  visas krävs krävdes krävts stängs stängdes öppnas hyrs hyrdes körs kördes utförs utfördes utförts tvättas betalas
  skickas kallas monteras lagas rekommenderas erbjuds erbjöds beskrivs beskrevs drivs drevs hålls hölls
  ansluts anslöts sköts löses löstes lösts följs följdes fylls fylldes leds leddes stöds stöddes styrs styrdes släpps
  släpptes sprids spreds sänds sändes utses utsågs väljs valdes ägs ägdes ges bärs läses läste byggts delas bestäms
  bestämdes behövs behövdes töms tänds tändes hörs nåtts tillhandahålls förs fördes nås nåddes bedöms avgörs avgjordes godkänns upptäcks märks`);
/** Verbs that always end with -s and are active: "lyckades". */
const deponents = wordSet(`
  hoppades lyckades misslyckades andades åldrades saknades vistades låtsades fattades handskades brottades trängdes
  hämnades kämpades svettades dagades nalkades vågades umgicks
  hoppas lyckas misslyckas andas åldras saknas vistas låtsas fattas handskas brottas trängas hämnas svettas nalkas
  finnas minnas trivas umgås träffas mötas kännas synas tyckas låtas brukas skiljas ses slåss avundas vämjas rymmas
  lyckats misslyckats hoppats andats funnits trivts minnats saknats vistats umgåtts träffats
  deras annars atlas kalas ananas matsalas veckas skolas kvinnas flickas människas firmas kyrkas mammas pappas kameras klockas`);

/** Present and infinitive in -as: "skapas", "användas". Definite plurals in the genitive end with -rnas. */
const passivePresent = /^[a-zåäö]{2,24}[bdfgjklmnprstv]as$/;
const pluralGenitive = /[aoe]rnas$/;
/** Supine: "skickats". Nouns such as "plats" have these endings too. */
const passiveSupine = /^[a-zåäö]{2,24}[bdfgjklmnprstv]ats$/;
const supineNouns = /(?:plats|insats|uppsats|resultats|formats)$/;
/** A noun in the genitive follows them: "en veckas semester". */
const determiners = wordSet('en ett den denna detta min din sin vår er hans hennes varje någon');
/** After a verb at the start of a question: "Hittas det?" */
const pronouns = wordSet('det den de du vi ni man jag hon han');
const supineAuxiliaries = wordSet('har hade ha som inte aldrig redan just alltid');

const findBecomePassives = periphrasticPassive({
  isAuxiliary: (form) => auxiliaries.has(form),
  isParticiple: (form) => !notParticiples.has(form) && (participle.test(form) || shortParticiples.has(form)),
  mayStandBetween: (form) => between.has(form) || (form.endsWith('igt') && form.length > 5),
  degreeWords: wordSet('mycket så för alltför ganska väldigt mer mest en ett'),
  window: 3,
});
const findWordPassives = wordPassive(
  (form) => !deponents.has(form) && (passiveEnding.test(form) || commonPassives.has(form)),
);

/** Finds passives with an ending that other words have too, by the word before them. */
const findEndings: FindPassives = (sentence) =>
  sentence.flatMap(({ form, capitalised }, index) => {
    const before = sentence[index - 1]?.form ?? '';
    const isFirst = index === 0 && !pronouns.has(sentence[1]?.form ?? '');
    if (isFirst || capitalised || deponents.has(form) || commonPassives.has(form)) return [];
    const isPresent =
      passivePresent.test(form) &&
      !passiveEnding.test(form) &&
      !pluralGenitive.test(form) &&
      !determiners.has(before);
    const isSupine = passiveSupine.test(form) && !passiveEnding.test(form) && !supineNouns.test(form);
    return isPresent || (isSupine && supineAuxiliaries.has(before)) ? [{ first: index, last: index }] : [];
  });

export const swedish: Grammar = {
  transitions: {
    words: wordSet(`
      alltså annars avslutningsvis dessutom dock däremot därefter därför därmed därtill därutöver eftersom
      emellertid exempelvis fastän faktiskt följaktligen förutom givetvis huvudsakligen ifall innan istället likaså
      men medan naturligtvis nämligen också samtidigt sammanfattningsvis sedan sist slutligen således
      trots tvärtom ty uppenbarligen visserligen när ändå även först främst efteråt plötsligt dessförinnan`),
    phrases: phraseList(`
      till exempel|å ena sidan|å andra sidan|för det första|för det andra|för det tredje|med andra ord|till skillnad från|
      på grund av|tack vare|trots att|i stället|i stället för|av den anledningen|som ett resultat|som en följd|till slut|
      framför allt|i själva verket|det vill säga|bland annat|för att|i synnerhet|under tiden|jämfört med|på samma sätt|
      i motsats till|med tanke på|i och med|i alla fall|i så fall|till sist|så småningom|med hänsyn till|i slutändan|
      som tidigare nämnts|inte minst|såväl som|vad gäller|i regel|i allmänhet|i första hand`),
    pairs: [
      ['antingen', 'eller'],
      ['varken', 'eller'],
      ['både', 'och'],
      ['dels', 'dels'],
      ['ju', 'desto'],
      ['inte', 'utan'],
      ['såväl', 'som'],
    ],
  },
  findPassives: (sentence) =>
    [...findBecomePassives(sentence), ...findWordPassives(sentence), ...findEndings(sentence)].sort(
      (a, b) => a.first - b.first,
    ),
};
