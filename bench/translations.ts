import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { codes, fillGroups, fillHeads, fillListings, fillWork, type Shop } from './data/fillTexts.ts';
import { benchmark } from './harness/benchmark.ts';
import type { Caller } from './harness/Caller.ts';
import { interleave } from './harness/interleave.ts';
import { describeTimes, report } from './harness/report.ts';
import { askGraphql, send, sendOk } from './harness/send.ts';

/**
 * Measures readers' texts of a thousand objects in ten languages over HTTP, the list of languages, and pages of the
 * work list with many texts.
 */

/** Rounds before the first one that counts: code that is called this often is compiled. */
const warmUp = 30;

const resolve = /* GraphQL */ `query ($objects: [ObjectRefInput!]!, $language: String!, $view: TranslationView!) {
  resolveTranslations(objects: $objects, language: $language, view: $view) {
    matchedCode strategy translation { id languageCode live url fields { title description } }
  }
}`;

const list = /* GraphQL */ `query ($filter: TranslationFilter, $after: String) {
  translations(filter: $filter, first: 50, after: $after) {
    nodes { id languageCode origin version updatedAt } pageInfo { endCursor }
  }
}`;
const filters: Readonly<Record<string, object>> = {
  everything: {},
  'a language': { language: 'fr' },
  'a language and a status': { language: 'fr', status: ['NEEDS_REVIEW'] },
  'a language and two statuses': { language: 'fr', status: ['DRAFT', 'IN_PROGRESS'] },
  'a status': { status: ['NEEDS_REVIEW'] },
  'what is outdated': { outdated: true },
  'what is outdated in a language': { outdated: true, language: 'fr' },
  'what is live in a language': { language: 'fr', live: true },
  'an assignee': { assigneeId: `usr_${'20'.padStart(26, '0')}` },
  'pages, of which there are none': { objectType: 'PAGE' },
  'what is missing': { missing: true, language: 'fr' },
};

export default benchmark({
  measures: 'texts of many objects, the list of languages and its 304, pages of the work list, all over HTTP',
  settings: {
    objects: { usual: 1000, quick: 20, means: 'objects of one request, at most 1000' },
    records: { usual: 100_000, quick: 500, means: 'texts in the work list' },
    rounds: { usual: 100, quick: 2, means: 'times that each request is measured' },
  },
  async measure({ objects, records, rounds }, { openMarketplace }) {
    // The demonstration creates the installation, its users and its listings.
    const { shared, stop, restart, signIn } = await openMarketplace();
    await stop();
    const connection = await connectMongo({ uri: shared.MONGODB_URI ?? '', timeoutMs: 120_000 });
    try {
      const shop = await fillListings(objects);
      await fillHeads(shop);
      const texts = await fillGroups(shop);
      const product = await restart({ JOBS: 'off' });
      // A running product caches the languages for 5 s.
      await pause(5500);
      const pool = new Pool(product.url, { connections: 2 });
      const caller = signIn('editor', product);
      await reportTexts({ pool, caller, rounds }, shop, texts);
      await reportLanguages(pool, rounds);
      await fillWork(shop, records);
      await reportWork({ pool, caller, rounds }, records);
      await pool.close();
    } finally {
      await connection.close();
    }
  },
});

/** The caller, and the number of calls. */
interface Asking {
  readonly pool: Pool;
  readonly caller: Caller;
  readonly rounds: number;
}

interface Resolved {
  readonly matchedCode: string | null;
  readonly translation: { readonly url: string | null } | null;
}

async function reportTexts(
  { pool, caller, rounds }: Asking,
  { listingIds }: Shop,
  texts: number,
): Promise<void> {
  const objects = listingIds.map((id) => ({ type: 'LISTING', id }));
  const ask = async (view: string, round: number): Promise<number> => {
    const variables = { objects, language: codes[round % codes.length], view };
    const { data, ms } = await askGraphql(pool, {
      query: resolve,
      variables,
      as: caller,
    });
    const { resolveTranslations } = data as { resolveTranslations: Resolved[] };
    for (const { matchedCode, translation } of resolveTranslations)
      if (matchedCode === null || !translation?.url) throw new Error('An object has no text or no address.');
    return ms;
  };
  const times = await interleave(warmUp + rounds, {
    public: (round) => ask('PUBLIC', round),
    editorial: (round) => ask('EDITORIAL', round),
  });
  console.log(`${objects.length} objects x ${codes.length} languages, ${texts} texts:`);
  for (const [view, each] of Object.entries(times))
    report(`texts, ${view}`, `${describeTimes(each.slice(warmUp))}  (goal: p95 at most 150 ms)`);
}

async function reportLanguages(pool: Pool, rounds: number): Promise<void> {
  const load = { method: 'GET', path: '/api/rest/translation/v1/languages?display=fr' } as const;
  const { headers } = await send(pool, load);
  const known = { ...load, headers: { 'if-none-match': String(headers.etag) } };
  const times = await interleave(warmUp + 5 * rounds, {
    languages: async () => (await sendOk(pool, load)).ms,
    'languages, 304': async () => (await sendOk(pool, known, 304)).ms,
  });
  for (const [name, each] of Object.entries(times))
    report(name, `${describeTimes(each.slice(warmUp))}  (goal: p95 at most 5 ms)`);
}

/** Reports the first and distant pages of each list, alternating. */
async function reportWork({ pool, caller, rounds }: Asking, records: number): Promise<void> {
  console.log(`work list of ${records.toLocaleString('en')} texts, pages of 50 (goal: p95 at most 50 ms):`);
  for (const [name, filter] of Object.entries(filters)) {
    let after: string | null = null;
    const ask = async (variables: object) => {
      const { data, ms } = await askGraphql(pool, {
        query: list,
        variables,
        as: caller,
      });
      const { translations } = data as { translations: { pageInfo: { endCursor: string | null } } };
      return { ms, cursor: translations.pageInfo.endCursor };
    };
    const times = await interleave(rounds, {
      'first page': async () => (await ask({ filter })).ms,
      'later pages': async () => {
        const { ms, cursor } = await ask({ filter, after });
        after = cursor;
        return ms;
      },
    });
    for (const [page, each] of Object.entries(times)) report(`${name}, ${page}`, describeTimes(each));
  }
}
