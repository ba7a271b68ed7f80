import { type FindPassives, phraseList, type WordRange, wordSet } from '../LanguageData.ts';
import type { Grammar } from './Grammar.ts';

const copulas = wordSet('van vannak volt voltak lett lettek lesz lesznek lenne lennének legyen legyenek');
/** Adverbial participles: javítva, cserélve. */
const participle = /^[a-záéíóöőúüű]{2,24}v[ae]$/;
/** Nouns and adverbs of the same shape, and "open" and "closed", which state hours. */
const notParticiples = wordSet(`
  illetve kivéve nyelve terve kedve szíve hova sova java eleve éjfélve neve műve oldalelve elve érve szerve
  önkéntve keserve ünneplve könyve rendszerve nyitva zárva tova óva szava tava hava szarva java lova sava köve füve csöve
  öve ideiglenesve programnyelve anyanyelve alapelve munkaterve haditerve éve leve`);
const window = 2;

/**
 * Finds the participle with a copula within two words, on either side: "meg lett javítva", "el van adva". Hungarian
 * has no other passive in ordinary use.
 */
const findPassives: FindPassives = (sentence) => {
  const found: WordRange[] = [];
  sentence.forEach(({ form }, index) => {
    if (!participle.test(form) || notParticiples.has(form)) return;
    const copula = findCopula(index);
    if (copula !== null) found.push({ first: Math.min(index, copula), last: Math.max(index, copula) });
  });
  return found;

  function findCopula(at: number): number | null {
    for (let distance = 1; distance <= window; distance += 1) {
      for (const index of [at - distance, at + distance]) {
        const from = Math.min(index, at);
        const between = sentence.slice(from + 1, from + distance + 1);
        if (copulas.has(sentence[index]?.form ?? '') && !between.some((word) => word.afterPunctuation))
          return index;
      }
    }
    return null;
  }
};

export const hungarian: Grammar = {
  transitions: {
    words: wordSet(`
      de azonban ezért tehát mivel mert ugyanis viszont továbbá illetve valamint emellett ráadásul például ugyanakkor
      így végül először másodszor harmadszor majd azután ezután később bár habár noha ellenben mégis mégsem egyrészt
      másrészt ezáltal következésképpen következésképp összefoglalva eközben közben miközben mielőtt miután amikor ha
      azaz vagyis ezenkívül összességében mindenekelőtt egyúttal egyébként végezetül általában különösen elsősorban
      másodsorban leginkább sőt hiszen ennélfogva hasonlóképpen ellenkezőleg ám csakhogy márpedig pedig
      amíg amint mihelyt hogyha ugyancsak szintén`),
    phrases: phraseList(`
      annak ellenére|ennek ellenére|ezzel szemben|ezen felül|ezen kívül|azért mert|más szóval|más szavakkal|
      annak érdekében|ennek érdekében|ennek eredményeként|ennek következtében|ebből következik|ebből kifolyólag|
      egy szóval|végső soron|nem utolsósorban|első sorban|az egyik oldalról|a másik oldalról|ugyanabban az időben|
      ezzel egyidejűleg|ezzel együtt|ami azt illeti|mind ezek mellett|mindezek mellett|mindezek után|nem csak|
      annál is inkább|úgy mint|mint például|abban az esetben|ebben az esetben|ellenkező esetben|attól függően|
      attól függetlenül|ettől függetlenül|a legfontosabb|összehasonlítva ezzel|ehhez hasonlóan|hasonló módon`),
    pairs: [
      ['nemcsak', 'hanem'],
      ['nem', 'hanem'],
      ['minél', 'annál'],
      ['sem', 'sem'],
      ['se', 'se'],
      ['akár', 'akár'],
      ['vagy', 'vagy'],
      ['mind', 'mind'],
      ['hol', 'hol'],
      ['ugyan', 'de'],
    ],
  },
  findPassives,
};
