import { cacheRules } from '../../schema/behaviour/cacheRules.ts';
import { namesReadOnly } from '../../schema/route/namesReadOnly.ts';
import { defaultRestRoot, withRestRoot } from '../../schema/route/pathTemplate.ts';
import type { RouteBinding } from '../../schema/route/RouteBinding.ts';
import { overloadedAdvice } from '../../schema/upstreamProblems.ts';
import { addNotes } from './answer/addNotes.ts';
import { type Answer, compileAnswer } from './answer/compileAnswer.ts';
import { dataOf } from './answer/dataOf.ts';
import { deprecationHeaders } from './answer/deprecationHeaders.ts';
import { compileUnchanged } from './compileUnchanged.ts';
import { compileCsv } from './csv/compileCsv.ts';
import { type Exchange, type Headers, send } from './Exchange.ts';
import type { FileSource } from './FileSource.ts';
import type { Gateway } from './Gateway.ts';
import { assertAcceptsJson, csvType, eventStreamType, jsonType, negotiateType } from './mediaTypes.ts';
import { Refusal } from './Refusal.ts';
import { compileHeaders } from './request/compileHeaders.ts';
import { compileParameters, type Variables } from './request/compileParameters.ts';
import { compileRequestBody } from './request/compileRequestBody.ts';
import { parseJson, toText } from './request/parseJson.ts';
import { readBasicClient } from './request/readBasicClient.ts';
import type { BodyLimits } from './request/readBody.ts';
import { isForm } from './request/readForm.ts';
import { readQuery } from './request/readQuery.ts';
import { compileRefreshCookie } from './request/refreshCookie.ts';
import { formatName, takeFormat } from './request/statedFormat.ts';
import { compileStream, type Streams } from './stream/compileStream.ts';
import { compileFile } from './uploads/compileFile.ts';
import { compileUpload } from './uploads/compileUpload.ts';

/** Parts that all routes of a facade share. */
export interface RouteEnvironment<Context> {
  readonly gateway: Gateway<Context>;
  readonly restRoot: string;
  readonly bodyTimeouts: Omit<BodyLimits, 'bytes'>;
  readonly files: FileSource;
  readonly streams?: Streams | undefined;
  /** Returns the route of an operation, for routes that run a second one. */
  findBinding(operationName: string): RouteBinding | undefined;
  /** Returns the route that reads what a route changes: GET of the same path. */
  findReading(binding: RouteBinding): RouteBinding | undefined;
}

/** Answers a matched request. A thrown error becomes a problem. */
export type RouteHandler<Context> = (
  exchange: Exchange<Context>,
  pathValues: readonly string[],
) => void | Promise<void>;

const noQuery = new Map<string, string[]>();

const formats = { json: jsonType, csv: csvType };

/**
 * Compiles the handling of a route's requests. The order of refusals is part of the contract: static guard (401, 403),
 * media type 415, size 413, syntax of parameters, headers and JSON 400, shape of fields 422. Refusals that need a
 * record come from its subgraph.
 */
export async function compileRoute<Context>(
  binding: RouteBinding,
  environment: RouteEnvironment<Context>,
): Promise<RouteHandler<Context>> {
  const { route } = binding;
  const { gateway } = environment;
  const prepared = await gateway.prepare(route.document, route.operationName);
  const bind = await compileBinding(binding, environment);
  const toAnswer = compileAnswer(binding, environment.restRoot);
  const writeAnswer = compileHeadersOf(binding, gateway);
  const sendTable = route.csv ? compileCsv(binding, prepared, gateway) : null;
  const sendStream = await compileStream(binding, environment);
  const types = [jsonType, ...(sendTable ? [csvType] : []), ...(sendStream ? [eventStreamType] : [])];
  const name = `${route.method} ${withRestRoot(route.path, defaultRestRoot)}`;
  const answersAtIssuerRoot = route.path.startsWith('/.well-known/');
  const cookie = compileRefreshCookie(binding);
  const receiveFile = await compileFileReceiver(binding, environment);
  const file = await compileFile(binding, gateway, environment.files);
  const deprecation = deprecationHeaders(binding);
  return async (exchange, pathValues) => {
    const { request, response, requestId, path, queryText } = exchange;
    for (const [name, value] of deprecation) response.setHeader(name, value);
    const opening = gateway.openContext(request, {
      ignoreAuthorization: route.ignoreAuthorization,
      partial: route.partial,
      answersAtIssuerRoot,
      route: name,
      requestId,
      response,
    });
    const context = opening instanceof Promise ? await opening : opening;
    exchange.context = context;
    if (gateway.isFull?.()) throw overloaded;
    const authorizing = gateway.authorize(prepared, context);
    if (authorizing instanceof Promise) await authorizing;
    const type = chooseType(exchange, types, route.formatParameter);
    if (receiveFile && isForm(request)) {
      const { data, variables } = await receiveFile(exchange, context);
      return writeAnswer(exchange, context, toAnswer(data, { variables, path, queryText, pathValues }));
    }
    const isFile = file?.isIn(exchange) ?? false;
    const binding = bind(exchange, pathValues, isFile);
    const variables = binding instanceof Promise ? await binding : binding;
    if (isFile) await file?.take(exchange, context, variables);
    if (type === csvType) return sendTable?.(exchange, context, variables);
    if (type === eventStreamType) return sendStream?.(exchange, context, variables);
    const wantsCookie = cookie?.receive(request, variables, gateway.baseUrlOf(context));
    const execution = prepared.execute(variables, context);
    const result = execution instanceof Promise ? await execution : execution;
    const data = dataOf(result, route.partial, route.result);
    const setCookie = wantsCookie ? cookie?.hand(data) : undefined;
    const answer = toAnswer(data, { variables, path, queryText, pathValues });
    writeAnswer(exchange, context, setCookie === undefined ? answer : { ...answer, setCookie });
  };
}

/** Returns the media type of the response: that of the parameter `format`, or else the one that the client prefers. */
function chooseType({ request, queryText }: Exchange, types: readonly string[], hasFormat: boolean): string {
  const stated = hasFormat ? takeFormat(readQuery(queryText), formats) : undefined;
  if (stated !== undefined) return stated;
  if (types.length > 1) return negotiateType(request, types);
  assertAcceptsJson(request);
  return jsonType;
}

/** Preallocated, because constructing an error is expensive under load. */
const overloaded = new Refusal('unavailable', overloadedAdvice, { retryAfter: 1 });

async function compileFileReceiver<Context>(
  declaring: RouteBinding,
  { gateway, files, findBinding }: RouteEnvironment<Context>,
) {
  const { upload } = declaring.route;
  if (upload === undefined) return null;
  const completing = findBinding(upload);
  if (!completing) throw new Error(`"upload": no route runs the operation "${upload}"`);
  return compileUpload({ declaring, completing }, gateway, files);
}

async function compileBinding<Context>(
  binding: RouteBinding,
  { bodyTimeouts, gateway, findReading }: RouteEnvironment<Context>,
) {
  const { route, parameters, paging, echoes, body } = binding;
  const reader = compileParameters(route.pathParameters, parameters, paging, echoes);
  const readHeaders = compileHeaders(binding);
  const hasParameters = route.pathParameters.length > 0;
  const readParameters = ({ queryText }: Exchange, pathValues: readonly string[], variables: Variables) => {
    if (hasParameters) reader.readPath(pathValues, variables);
    const query = queryText === '' ? noQuery : readQuery(queryText);
    if (route.formatParameter) query.delete(formatName);
    reader.readQuery(query, variables);
  };
  if (route.method === 'GET') {
    return (exchange: Exchange<Context>, pathValues: readonly string[]): Variables => {
      const variables: Variables = {};
      readParameters(exchange, pathValues, variables);
      readHeaders(exchange.request, variables);
      return variables;
    };
  }
  const requestBody = compileRequestBody(binding, bodyTimeouts);
  const reading = namesReadOnly(route) && route.method === 'PATCH' ? findReading(binding) : undefined;
  const filter = reading && compileUnchanged(binding, reading, gateway);
  return async (
    exchange: Exchange<Context>,
    pathValues: readonly string[],
    isFile: boolean,
  ): Promise<Variables> => {
    const { request, queryText } = exchange;
    const variables: Variables = {};
    const raw = isFile ? null : await requestBody.receive(request);
    const inBody = raw !== null && raw.bytes.length > 0 && body?.insteadOfQuery === true;
    if (inBody && queryText !== '')
      throw new Refusal('malformed_request', 'Use the query or a body, not both.');
    if (inBody) reader.readPath(pathValues, variables);
    else readParameters(exchange, pathValues, variables);
    readHeaders(request, variables);
    const value =
      raw && raw.bytes.length > 0 && filter
        ? await filter(parseJson(toText(raw.bytes)), exchange, { pathValues, variables })
        : undefined;
    if (body?.insteadOfQuery !== true || raw) requestBody.fill(raw && { ...raw, value }, variables);
    else if (body) variables[body.variable] ??= {};
    if (route.basicClient) readBasicClient(request, variables);
    return variables;
  };
}

function compileHeadersOf<Context>(binding: RouteBinding, gateway: Gateway<Context>) {
  const { route } = binding;
  const { control: cache, isPersonalWithToken: usesToken, vary } = cacheRules(binding);
  const variance = vary.join(', ');
  const deprecated = new Map(deprecationHeaders(binding)).get('Link');
  return (exchange: Exchange<Context>, context: Context, answer: Answer): void => {
    const { request } = exchange;
    const isPersonal = usesToken && request.headers.authorization !== undefined;
    const headers: Headers = { 'Cache-Control': isPersonal ? 'private, no-store' : cache };
    if (variance !== '') headers.Vary = variance;
    if (answer.etag !== undefined) headers.ETag = answer.etag;
    if (answer.location !== undefined) headers.Location = answer.location;
    if (answer.link !== undefined) headers.Link = deprecated ? `${answer.link}, ${deprecated}` : answer.link;
    if (answer.contentLanguage !== undefined) headers['Content-Language'] = answer.contentLanguage;
    if (answer.setCookie !== undefined) headers['Set-Cookie'] = answer.setCookie;
    addNotes(headers, gateway.answerOf(context));
    if (answer.etag !== undefined && route.method === 'GET') {
      const status = preconditionStatus(request.headers, answer.etag);
      if (status === 412)
        throw new Refusal(
          'precondition_failed',
          'The record does not have the version of If-Match. Read it again.',
        );
      if (status === 304) return send(exchange, 304, headers);
    }
    if (answer.body !== undefined) headers['Content-Type'] = jsonType;
    send(exchange, answer.status, headers, answer.body);
  };
}

/**
 * Returns the status of the preconditions (RFC 9110, 13.2.2): If-Match first, on the version alone; If-None-Match on
 * the whole tag, weakly.
 */
function preconditionStatus(
  headers: { 'if-match'?: string | undefined; 'if-none-match'?: string | undefined },
  etag: string,
): 200 | 304 | 412 {
  const match = headers['if-match'];
  if (match !== undefined && match.trim() !== '*' && !tagsOf(match).some((tag) => isSameVersion(tag, etag)))
    return 412;
  const none = headers['if-none-match'];
  if (none === undefined) return 200;
  return none.trim() === '*' || tagsOf(none).some((tag) => tag.replace(/^W\//, '') === etag) ? 304 : 200;
}

function isSameVersion(tag: string, etag: string): boolean {
  return tag.startsWith(etag.slice(0, etag.lastIndexOf('-') + 1));
}

function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
