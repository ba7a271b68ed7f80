import { print } from 'graphql';
import { Pool } from 'undici';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import type { Caller } from './Caller.ts';
import { jsonLoad, type Load, sendWhenReady } from './send.ts';

const joinText = `query join($listingId: ID!) {
  listing(listingId: $listingId) {
    id
    title
    price { amount currency }
    seo(locale: "en") { keyphrase latestAnalysis { scores { seo { value rating earned possible applicable cappedBy } } } }
    translations { languageCode live fields { title } }
  }
}`;

const languagesText =
  '{ languages { items { code bcp47 names { native english } direction order } total version } }';

/** The documents that are measured, by the id under which they can be registered. */
export const documents: Readonly<Record<'me' | 'join' | 'languages', string>> = {
  me: textOfRoute('me'),
  join: joinText,
  languages: languagesText,
};

/** One operation in all styles in which it can be requested. */
export interface Ways {
  readonly rest: Load;
  /** `POST /graphql` with the whole text. */
  readonly adHoc: Load;
  /** `POST /graphql` with the id of a registered operation. */
  readonly registered: Load;
  /** The hand-written handler with the same reads. */
  readonly byHand: Load;
}

/**
 * Returns the requests: `me` is the caller's own record, `join` a listing with data of two other subgraphs, `languages`
 * a list that the process caches for five seconds, so that little database work hides the engine.
 */
export function loadsOf(
  listingId: string,
  as: Caller,
): {
  me: Ways;
  join: Omit<Ways, 'rest'>;
  languages: Pick<Ways, 'adHoc'>;
} {
  const get = (path: string): Load => ({ method: 'GET', path, as });
  const post = (body: object): Load => jsonLoad('POST', '/graphql', body, as);
  const variables = { listingId };
  return {
    me: {
      rest: get('/api/v1/me'),
      adHoc: post({ query: documents.me }),
      registered: post({ documentId: 'me' }),
      byHand: get('/api/v1/me'),
    },
    join: {
      adHoc: post({ query: joinText, variables }),
      registered: post({ documentId: 'join', variables }),
      byHand: get(`/join/${listingId}`),
    },
    languages: { adHoc: post({ query: languagesText }) },
  };
}

/** Returns the document that the REST route runs. */
function textOfRoute(operationName: string): string {
  const route = readRoutes().find((one) => one.operationName === operationName);
  if (!route) throw new Error(`There is no route of the operation "${operationName}".`);
  return print(route.document);
}

/** Checks that the responses are equal, because a comparison is fair only if both do the same work. */
export async function assertSameAnswers(...asked: readonly [url: string, load: Load][]): Promise<void> {
  const answers = await Promise.all(
    asked.map(async ([url, load]) => {
      const pool = new Pool(url);
      const { text } = await sendWhenReady(pool, load);
      await pool.close();
      return text;
    }),
  );
  const [first, ...others] = answers.map(canonical);
  if (others.some((other) => other !== first))
    throw new Error(`The answers differ:\n${answers.map((text) => text.slice(0, 2000)).join('\n')}`);
}

/** Returns JSON without intentional differences: the order of members and lists, and the case of enum values. */
function canonical(json: string): string {
  const sort = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.map(sort).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof value !== 'object' || value === null)
      return typeof value === 'string' ? value.toLowerCase() : value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => [key, sort(member)]),
    );
  };
  return JSON.stringify(sort(JSON.parse(json)));
}
