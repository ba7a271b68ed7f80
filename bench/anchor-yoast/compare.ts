import { parseArgs } from 'node:util';
import { analyze } from '../../subgraphs/seo/engine/analyze.ts';
import type { Analysis } from '../../subgraphs/seo/engine/contract.ts';
import { openAnchor } from './anchor.ts';
import { obtainHandbook } from './obtainHandbook.ts';
import { pairs, toVerdict, type Verdict } from './pairs.ts';
import { type Article, readArticles } from './readArticles.ts';

/**
 * `npm start` in this folder runs the engine and yoastseo 3.6.0 over the same real articles, check by check, and
 * reports the cost of both. `--show links.internal` lists the disagreements of one check.
 */

const languages = 'en de fr es it nl pt ru pl ar ja sv cs tr id fa ca nb el'.split(' ');
const { values } = parseArgs({ options: { show: { type: 'string' }, handbook: { type: 'string' } } });

interface Tally {
  compared: number;
  equal: number;
  classes: Map<string, number>;
}
const byCheck = new Map<string, Tally>(
  Object.keys(pairs).map((id) => [id, { compared: 0, equal: 0, classes: new Map() }]),
);
const byLanguage = new Map<
  string,
  { articles: number; words: number; compared: number; equal: number; ours: number; anchor: number }
>();

function cpuOf<T>(work: () => T): { value: T; cpuMs: number } {
  const begun = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(begun);
  return { value, cpuMs: (user + system) / 1000 };
}

function ourAnalysis(article: Article): Analysis {
  const { html: content, title, keyphrase, metaDescription, slug, permalink, language } = article;
  return analyze({
    content,
    title,
    keyphrase,
    metaDescription,
    slug,
    permalink,
    locale: language,
    canonicalUrl: null,
  });
}

function compareArticle(article: Article, anchor: ReturnType<typeof openAnchor>): void {
  // Alternating, so that other load of the machine affects both; the first run of each warms up.
  ourAnalysis(article);
  const theirs = cpuOf(() => anchor(article));
  const ours = cpuOf(() => ourAnalysis(article));
  const line = byLanguage.get(article.language) ?? {
    articles: 0,
    words: 0,
    compared: 0,
    equal: 0,
    ours: 0,
    anchor: 0,
  };
  byLanguage.set(article.language, line);
  line.articles += 1;
  line.words += article.words;
  line.ours += ours.cpuMs;
  line.anchor += theirs.cpuMs;
  for (const check of ours.value.checks) {
    const pair = pairs[check.id];
    const tally = byCheck.get(check.id);
    const found = pair && theirs.value.get(pair.anchor);
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
  anchor(first);
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
console.log('\nlanguage  articles   words  agreement  ours ms  anchor ms   ratio');
let [equal, compared, ours, anchor] = [0, 0, 0, 0];
for (const [language, line] of byLanguage) {
  equal += line.equal;
  compared += line.compared;
  ours += line.ours;
  anchor += line.anchor;
  const figures = [
    line.articles,
    line.words,
    percent(line.equal, line.compared),
    line.ours.toFixed(0),
    line.anchor.toFixed(0),
    `${(line.anchor / line.ours).toFixed(0)} x`,
  ];
  console.log(
    `${language.padEnd(8)} ${figures.map((figure, index) => String(figure).padStart([9, 7, 10, 8, 10, 7][index] ?? 8)).join(' ')}`,
  );
}
console.log(
  `\nagreement ${percent(equal, compared)} of ${compared} verdicts (goal 94 %), CPU ${(anchor / ours).toFixed(0)} x (goal 40 x)`,
);
const differing = [...byCheck].filter(([id, tally]) => pairs[id]?.structural && tally.equal < tally.compared);
for (const [id] of differing) console.log(`${id} is decided by structure alone and differs`);
process.exitCode = equal / compared >= 0.94 && anchor / ours >= 40 && differing.length === 0 ? 0 : 1;
