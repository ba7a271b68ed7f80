import type { RecordedCall } from '../../../schema/openapi/RecordedCall.ts';
import type { ValidRequest } from '../../authorization/matrix/validCalls.ts';
import type { HttpAnswer } from '../../support/stack/openHttpClient.ts';
import { imagining } from './imagined.ts';

/** Number of entries that an example shows of a list. */
export const shownEntries = 2;

/**
 * Converts a call and its answer to an example.
 *
 * @param entries number of entries to keep of a list
 */
export function toRecordedCall(
  { call, request }: ValidRequest,
  { status, json }: HttpAnswer,
  entries = Number.POSITIVE_INFINITY,
): RecordedCall {
  const imagine = imagining();
  return mapTexts(
    {
      path: call.path ?? {},
      query: call.query ?? {},
      headers: Object.fromEntries(request.headers ?? []),
      ...(request.body === undefined ? {} : { body: request.body }),
      status,
      ...(json === undefined ? {} : { answer: shorten(json, entries) }),
    },
    imagine,
  ) as RecordedCall;
}

/** Changes every text in a JSON value, including names of members. */
function mapTexts(value: unknown, change: (text: string) => string, of = ''): unknown {
  // Too short to distinguish from a word.
  if (of === 'secretLast4') return 'xY3z';
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [change(name), mapTexts(member, change, name)]),
  );
}

function shorten(value: unknown, entries: number): unknown {
  if (Array.isArray(value)) return value.slice(0, entries).map((entry) => shorten(entry, entries));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member, entries)]));
}
