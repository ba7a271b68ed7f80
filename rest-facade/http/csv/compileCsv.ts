import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { maxPageSize, type RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { findMember } from '../../../schema/route/selectionShape.ts';
import { addNotes } from '../answer/addNotes.ts';
import { compileEnums } from '../answer/compileMembers.ts';
import { dataOf } from '../answer/dataOf.ts';
import { type Exchange, type Headers, keepVary } from '../Exchange.ts';
import type { Gateway, Prepared } from '../Gateway.ts';
import { csvType } from '../mediaTypes.ts';
import { ClientGone } from '../Refusal.ts';
import type { Variables } from '../request/compileParameters.ts';
import { readQuery } from '../request/readQuery.ts';
import { compileColumns } from './compileColumns.ts';

/** Maximum number of rows in a response. */
const mostRows = 10_000;
/** Cursor after the last row, which is known only after the body is written. */
const trailer = 'Next-Cursor';

interface Page {
  nodes: readonly unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

type FetchPage<Context> = (variables: Variables, context: Context) => Promise<Page>;

/**
 * Compiles the response of a list as CSV (RFC 4180). It is written page by page with backpressure, and never held as a
 * whole. A refusal of the first page is a problem. A later failure closes the connection, so that a partial table does
 * not look complete.
 */
export function compileCsv<Context>(
  binding: RouteBinding,
  prepared: Prepared<Context>,
  gateway: Gateway<Context>,
): (exchange: Exchange<Context>, context: Context, variables: Variables) => Promise<void> {
  const { paging, result } = binding;
  const columns = compileColumns(findMember(result?.shape, ['nodes'])?.shape);
  const fetchPage = compileFetch(binding, prepared);
  const heading = toText([columns.map(({ name }) => name)]);
  const toRows = ({ nodes }: Page) => toText(nodes.map((node) => columns.map(({ read }) => read(node))));
  return async (exchange, context, variables) => {
    const { request, response, queryText } = exchange;
    const isWhole = !readQuery(queryText).has(paging?.size.name ?? '');
    const first = isWhole ? maxPageSize : variables.first;
    const next = (after: unknown) => fetchPage({ ...variables, first, after }, context);
    const begin = await next(variables.after);
    const headers = headersOf(binding, exchange);
    addNotes(headers, gateway.answerOf(context));
    keepVary(response, headers);
    response.writeHead(200, headers);
    if (request.method === 'HEAD') return void response.end();
    const write = async function* (): AsyncGenerator<string> {
      yield heading;
      let rows = 0;
      for (let page = begin; ; page = await next(page.pageInfo.endCursor)) {
        rows += page.nodes.length;
        if (page.nodes.length > 0) yield toRows(page);
        const { hasNextPage, endCursor } = page.pageInfo;
        if (!hasNextPage || endCursor === null) return;
        if (isWhole && rows < mostRows) continue;
        if (headers.Trailer) response.addTrailers({ [trailer]: endCursor });
        return;
      }
    };
    await pipeline(Readable.from(write(), { highWaterMark: 1 }), response).catch((error: unknown) => {
      throw isGone(error) ? new ClientGone() : error;
    });
  };
}

function headersOf({ route }: RouteBinding, { request, requestId }: Exchange): Headers {
  // Trailers require chunked encoding, which neither HTTP/1.0 nor a response without a body has.
  const hasTrailer = request.httpVersion !== '1.0' && request.method !== 'HEAD';
  return {
    'Content-Type': `${csvType}; charset=utf-8; header=present`,
    'Content-Disposition': `attachment; filename="${route.operationName}.csv"`,
    'Cache-Control': route.cache ?? 'no-store',
    Vary: ['Accept', ...route.vary].join(', '),
    ...(hasTrailer ? { Trailer: trailer } : {}),
    'X-Request-Id': requestId,
  };
}

function compileFetch<Context>(
  { route, shape }: RouteBinding,
  prepared: Prepared<Context>,
): FetchPage<Context> {
  const lowerEnums = compileEnums(shape);
  return async (variables, context) => {
    const data = dataOf(await prepared.execute(variables, context), route.partial, route.result);
    lowerEnums?.(data);
    let value: unknown = data;
    for (const key of route.result ?? []) value = (value as Record<string, unknown>)[key];
    return value as Page;
  };
}

function toText(rows: (string | number | null)[][]): string {
  return stringify(rows, { record_delimiter: 'windows' });
}

function isGone(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
