import { parseArgs } from 'node:util';
import { openAnchor } from './anchor.ts';
import { analyzeArticle } from './engines.ts';
import { languages } from './languages.ts';
import { obtainHandbook } from './obtainHandbook.ts';
import { pairs, toVerdict, type Verdict } from './pairs.ts';
import { type Article, readArticles } from './readArticles.ts';

/**
 * `npm start` in this folder runs the engine and yoastseo 3.6.0 over the same real articles, check by check.
 * `--show links.internal` lists the disagreements of one check.
 */

const { values } = parseArgs({ options: { show: { type: 'string' }, handbook: { type: 'string' } } });

interface Tally {
  compared: number;
  equal: number;
  classes: Map<string, number>;
}
const byCheck = new Map<string, Tally>(
  Object.keys(pairs).map((id) => [id, { compared: 0, equal: 0, classes: new Map() }]),
);
const byLanguage = new Map<string, { articles: number; words: number; compared: number; equal: number }>();

function compareArticle(article: Article, anchor: ReturnType<typeof openAnchor>): void {
  const theirs = anchor(article);
  const ours = analyzeArticle(article);
  const line = byLanguage.get(article.language) ?? {
    articles: 0,
    words: 0,
    compared: 0,
    equal: 0,
  };
  byLanguage.set(article.language, line);
  line.articles += 1;
  line.words += article.words;
  for (const check of ours.checks) {
    const pair = pairs[check.id];
    const tally = byCheck.get(check.id);
    const found = pair && theirs.get(pair.anchor);
    // A check that only one of them applies is not a disagreement: the anchor rates absence, the engine does not apply
    // the check.
    if (!pair || !tally || !found || !check.applicable) continue;
    const verdict = toVerdict(found.score);
    tally.compared += 1;
    line.compared += 1;
    if (check.rating === verdict) {
      tally.equal += 1;
      line.equal += 1;
      continue;
    }
    const reason = pair.classify(
      check.rating as Verdict,
      verdict,
      (check.value ?? {}) as Record<string, unknown>,
    );
    tally.classes.set(reason, (tally.classes.get(reason) ?? 0) + 1);
    if (values.show === check.id) {
      console.log(
        `${article.language} ${article.name} “${article.keyphrase}”: ours ${check.rating} ${JSON.stringify(check.value)}, theirs ${verdict}: ${found.text}`,
      );
    }
  }
}

const handbook = values.handbook ?? (await obtainHandbook());
for (const language of languages) {
  const articles = await readArticles(handbook, language);
  const [first] = articles;
  if (!first) continue;
  const anchor = openAnchor(language);
  for (const article of articles) compareArticle(article, anchor);
}

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
console.log('\ncheck                            agreement   of  disagreements');
for (const [id, { compared, equal, classes }] of byCheck) {
  const reasons = [...classes].map(([reason, count]) => `${count} × ${reason}`).join('; ');
  console.log(
    `${id.padEnd(32)} ${percent(equal, compared).padStart(9)} ${String(compared).padStart(4)}  ${reasons}`,
  );
}
console.log('\nlanguage  articles   words  agreement');
let [equal, compared] = [0, 0];
for (const [language, line] of byLanguage) {
  equal += line.equal;
  compared += line.compared;
  const figures = [line.articles, line.words, percent(line.equal, line.compared)];
  console.log(
    `${language.padEnd(8)} ${figures.map((figure, index) => String(figure).padStart([9, 7, 10][index] ?? 8)).join(' ')}`,
  );
}
console.log(`\nagreement ${percent(equal, compared)} of ${compared} verdicts (goal 94 %)`);
const differing = [...byCheck].filter(([id, tally]) => pairs[id]?.structural && tally.equal < tally.compared);
for (const [id] of differing) console.log(`${id} is decided by structure alone and differs`);
process.exitCode = equal / compared >= 0.94 && differing.length === 0 ? 0 : 1;
