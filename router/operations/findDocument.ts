import { GraphQLError } from 'graphql';
import type { Engine, Prepared, Refused } from '../execution/Engine.ts';
import type { RegisteredOperation, RegisteredOperations } from './RegisteredOperations.ts';
import type { RememberedQueries } from './RememberedQueries.ts';

/** Stores of documents that a request can refer to. */
export interface DocumentStores {
  readonly registered?: RegisteredOperations | undefined;
  /** Whether documents that are not registered are refused. */
  readonly registeredOnly?: boolean | undefined;
  readonly remembered: RememberedQueries;
}

/** Parts of a GraphQL request that identify the operation. */
export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** Request with its document, if there is one. */
export interface FoundDocument {
  readonly url: string;
  readonly body: string | Record<string, unknown>;
  /** Set for a registered operation. */
  readonly registered?: RegisteredOperation | undefined;
  /** Reason why nothing is executed. */
  readonly refusal?: GraphQLError | undefined;
}

type Members = Record<string, unknown>;

/**
 * Finds the document of a request by `documentId` (GraphQL over HTTP, appendix on persisted documents) or by
 * `extensions.persistedQuery.sha256Hash` (automatic persisted queries). A request that contains its document is
 * unchanged.
 */
export function findDocument(request: AskedRequest, stores: DocumentStores): FoundDocument {
  const { method, url, body, contentType = '' } = request;
  if (method === 'GET') {
    if (!stores.registeredOnly && !/documentId|persistedQuery/.test(url)) return { url, body };
    const search = new URLSearchParams(url.split('?', 2)[1] ?? '');
    const extensions = parseMembers(search.get('extensions') ?? '');
    const found = judge({ ...Object.fromEntries(search), extensions }, stores);
    if (found === null) return { url, body };
    search.set('query', found.text);
    return { url: `${url.split('?', 1)[0]}?${search}`, body, ...found.outcome };
  }
  const isJson = /^\s*application\/json\b/i.test(contentType);
  if (!isJson || (!stores.registeredOnly && !/documentId|persistedQuery/.test(body))) return { url, body };
  const members = parseMembers(body);
  const found = members && judge(members, stores);
  if (!members || !found) return { url, body };
  return { url, body: { ...members, query: found.text }, ...found.outcome };
}

/** Finds the document of a message that contains the members of a GraphQL request. */
export function findInMessage(
  members: Members & { readonly query: string },
  stores: DocumentStores,
): Pick<FoundDocument, 'registered' | 'refusal'> & { readonly text: string } {
  const found = judge(members, stores);
  return found ? { text: found.text, ...found.outcome } : { text: members.query };
}

function parseMembers(text: string): Members | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Members)
      : null;
  } catch {
    return null;
  }
}

interface Judgement {
  /** Text of the document; empty if there is none and nothing is executed. */
  readonly text: string;
  readonly outcome: Pick<FoundDocument, 'registered' | 'refusal'>;
}

/** Checks a request; null for one without an id that may send any document. */
function judge(
  members: Members,
  { registered, registeredOnly, remembered }: DocumentStores,
): Judgement | null {
  const { query } = members;
  const id = typeof members.documentId === 'string' ? members.documentId : undefined;
  const hash = hashIn(members.extensions);
  const operation =
    (id === undefined ? undefined : registered?.find(id)) ??
    (hash === undefined ? undefined : registered?.find(hash)) ??
    (typeof query === 'string' ? registered?.findByText(query) : undefined);
  if (operation !== undefined) {
    if (typeof query === 'string' && query !== '' && query !== operation.text) return refused(mismatch());
    return { text: operation.text, outcome: { registered: operation } };
  }
  if (registeredOnly) return refused(notRegistered());
  if (id !== undefined) return refused(notFound());
  if (hash === undefined) return null;
  if (typeof query === 'string' && query !== '')
    return remembered.remember(hash, query) ? { text: query, outcome: {} } : refused(mismatch());
  const text = remembered.find(hash);
  return text === undefined ? refused(notFound()) : { text, outcome: {} };
}

function hashIn(extensions: unknown): string | undefined {
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { sha256Hash?: unknown } };
  const hash = persistedQuery?.sha256Hash;
  return typeof hash === 'string' ? hash : undefined;
}

const refused = (refusal: GraphQLError): Judgement => ({ text: '', outcome: { refusal } });

/** Returns the error that clients recognize: they then send the document with its hash. */
function notFound(): GraphQLError {
  return coded('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
}

function mismatch(): GraphQLError {
  return coded('The document does not match its hash or id.', 'PERSISTED_QUERY_MISMATCH');
}

function notRegistered(): GraphQLError {
  return coded('Only registered operations are executed.', 'OPERATION_NOT_REGISTERED');
}

function coded(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** Prepares the operation: a registered one is ready, and others are checked against the limits. */
export function prepareFound(
  engine: Pick<Engine, 'prepare'>,
  { registered, refusal }: Pick<FoundDocument, 'registered' | 'refusal'>,
  query: string,
  operationName: string | null | undefined,
): Prepared | Refused | Promise<Prepared | Refused> {
  if (refusal) return { errors: [refusal] };
  if (registered) return registered.prepared(operationName ?? undefined);
  return engine.prepare(query, operationName ?? undefined);
}
