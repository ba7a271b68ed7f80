import { readWithAnchor, readWithEngine, toFigures } from './judgeTreebank.ts';
import { obtainTreebank } from './obtainTreebanks.ts';

/** Languages in which both engines know passives, with their own grammar. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ru', 'pl', 'tr'];
const treebanks = await Promise.all(
  languages.map(async (language) => ({ language, gold: await obtainTreebank(language) })),
);

for (const { language, gold } of treebanks) {
  if (gold === null) {
    test.skip(`${language}: no treebank; TREEBANKS names a folder with ${language}_*-ud-test.conllu`, () => {
      expect(gold).not.toBeNull();
    });
    continue;
  }
  test(`${language}: sentences and passives are found at least as well as by yoastseo`, async () => {
    const sample = gold.slice(0, 3000);
    expect(sample.filter(({ isPassive }) => isPassive).length).toBeGreaterThan(20);
    const ours = toFigures(sample, readWithEngine(language, sample));
    const theirs = toFigures(sample, await readWithAnchor(language, sample));
    console.log(`${language}: F1 of sentences and passives in percent`, { ours, theirs });
    expect(ours.sentences).toBeGreaterThanOrEqual(theirs.sentences);
    expect(ours.passives).toBeGreaterThanOrEqual(theirs.passives);
  }, 600_000);
}
