import { openEngine, type Run } from './engines.ts';
import { readArticles } from './readArticles.ts';

/**
 * A process that runs one engine over the articles of one language. Each engine has its own process, because thousands
 * of regular expressions and the garbage of one slow the other down.
 *
 * Arguments: `ours` or `anchor`, the folder of the handbook, the language, and the number of articles.
 */

const [side = '', handbook = '', language = '', most = '0'] = process.argv.slice(2);
const articles = (await readArticles(handbook, language)).slice(0, Number(most));
const run: Run = openEngine(side, language);

process.on('message', (passes: number) => {
  const begun = process.cpuUsage();
  for (let pass = 0; pass < passes; pass += 1) for (const article of articles) run(article);
  const { user, system } = process.cpuUsage(begun);
  process.send?.((user + system) / 1000 / passes);
});
process.send?.(articles.length);
