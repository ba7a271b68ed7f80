import { Pool } from 'undici';
import { benchmark } from './harness/benchmark.ts';
import type { Caller } from './harness/Caller.ts';
import { describeTimes, percentile, report } from './harness/report.ts';
import { type Answer, askGraphql, jsonLoad, send } from './harness/send.ts';

/**
 * Measures the cost of a link and an unlink over HTTP, and the state of groups that many writers change concurrently,
 * in several rounds. Every status must be below 500, and the health report must have no findings.
 */

const goalMs = 40;

export default benchmark({
  measures: 'links and unlinks over HTTP, one after the other and by many writers of one group at once',
  settings: {
    pairs: { usual: 300, quick: 5, means: 'links and unlinks one after the other' },
    writers: { usual: 50, quick: 10, means: 'writers at once' },
    rounds: { usual: 1000, quick: 2, means: 'rounds in which all of them write' },
  },
  async measure({ pairs, writers, rounds }, { openMarketplace }) {
    const { product, signIn } = await openMarketplace();
    const pool = new Pool(product.url, { connections: writers });
    const shop = await openShop(pool, signIn('editor'), writers);
    await reportPairs(shop, pairs);
    await reportRounds(shop, rounds);
    await reportHealth(shop);
    await pool.close();
  },
});

/** Pages of the demonstration, and who may link them. */
interface Shop {
  readonly pages: readonly string[];
  link(object: string, relatedTo: string, onConflict?: string): Promise<Answer>;
  unlink(object: string): Promise<Answer>;
  graphql<Data>(query: string, variables?: object): Promise<Data>;
}

async function openShop(pool: Pool, as: Caller, writers: number): Promise<Shop> {
  const graphql = async <Data>(query: string, variables: object = {}): Promise<Data> =>
    (await askGraphql(pool, { query, variables, as })).data as Data;
  const { languages } = await graphql<{ languages: { items: { bcp47: string }[] } }>(
    '{ languages { items { bcp47 } } }',
  );
  const tags = languages.items.map(({ bcp47 }) => bcp47);
  const pages: string[] = [];
  for (let index = 0; index < writers; index += 1) {
    const input = { title: `Page ${index}`, languageTag: tags[index % tags.length] };
    const { createPage } = await graphql<{ createPage: { page: { id: string } } }>(
      'mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }',
      { input },
    );
    pages.push(createPage.page.id);
  }
  const path = '/api/rest/translation/v1/relations';
  const page = (id: string) => ({ type: 'page', id });
  return {
    pages,
    graphql,
    link: (object, relatedTo, onConflict = 'reject') =>
      send(
        pool,
        jsonLoad('POST', path, { object: page(object), relatedTo: page(relatedTo), onConflict }, as),
      ),
    unlink: (object) =>
      send(pool, { method: 'DELETE', path: `${path}?objectType=page&objectId=${object}`, as }),
  };
}

/** Measures links and unlinks sequentially, to get the cost of each one. */
async function reportPairs({ pages, link, unlink }: Shop, pairs: number): Promise<void> {
  const warmUp = Math.min(20, pairs);
  const [source = '', other = ''] = pages;
  const times = { link: [] as number[], unlink: [] as number[] };
  for (let pair = 0; pair < pairs + warmUp; pair += 1) {
    const [linked, unlinked] = [await link(other, source), await unlink(other)];
    if (linked.status !== 201 || unlinked.status !== 200)
      throw new Error(`a pair answered ${linked.status} and ${unlinked.status}`);
    // The first ones warm up.
    if (pair < warmUp) continue;
    times.link.push(linked.ms);
    times.unlink.push(unlinked.ms);
  }
  for (const [name, each] of Object.entries(times))
    report(name, `${describeTimes(each)}  (goal: p95 at most ${goalMs} ms)`);
}

/** Runs concurrent changes of groups around one page: links in all three ways, and unlinks. */
async function reportRounds({ pages, link, unlink }: Shop, rounds: number): Promise<void> {
  const counts = new Map<string, number>();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const source = pages[round % pages.length] ?? '';
    const answers = await Promise.all(
      pages.map((page, index) => {
        const way = (index * 7 + round * 3) % 10;
        if (way < 3) return unlink(page);
        // A few use another page, so that groups are left and joined concurrently.
        const anchor = way === 9 ? (pages[(index + round) % pages.length] ?? '') : source;
        return link(page, anchor, ['reject', 'move', 'replace'][way % 3]);
      }),
    );
    for (const { status, text, ms } of answers) {
      const word = status < 300 ? String(status) : `${status} ${(JSON.parse(text) as { code: string }).code}`;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      times.push(ms);
    }
  }
  if (rounds === 0) return;
  report(`${pages.length} writers at once, ${rounds} rounds`, describeTimes(times));
  for (const [word, count] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    report(`answers ${word}`, String(count));
  // Writers of one group conflict with each other; any other refusal is a fault.
  const isExpected = (word: string) => /^(2|409 |404 relation_not_found|422 self_relation)/.test(word);
  const failed = [...counts.keys()].filter((word) => !isExpected(word));
  if (failed.length > 0) throw new Error(`There are answers ${failed.join(', ')}.`);
  if (percentile(times, 1) > 10_000) throw new Error('An answer took longer than a request may.');
}

interface Health {
  readonly findings: readonly unknown[];
  readonly lookedAt: number;
  readonly next: string | null;
}

async function reportHealth({ graphql }: Shop): Promise<void> {
  const findings: unknown[] = [];
  let lookedAt = 0;
  let after: string | null = null;
  do {
    const { relationHealth }: { relationHealth: Health } = await graphql(
      `query ($after: String) {
        relationHealth(after: $after) { lookedAt next findings { code groupId objectId detail } } }`,
      { after },
    );
    findings.push(...relationHealth.findings);
    lookedAt += relationHealth.lookedAt;
    after = relationHealth.next;
  } while (after !== null);
  report('health', `${findings.length} findings in ${lookedAt} groups and records`);
  if (findings.length > 0) throw new Error(JSON.stringify(findings.slice(0, 10), null, 2));
}
