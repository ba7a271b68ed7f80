import { writeFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  callName,
  type RecordedCall,
  readRecordedCalls,
  recordedCallsFile,
} from '../../schema/openapi/RecordedCall.ts';
import { validRequestsInTurn } from '../authorization/matrix/validCalls.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import type { HttpAnswer } from '../support/stack/openHttpClient.ts';
import { answerOf, type Content, document, type Operation, operationOf } from './documentedAnswer.ts';
import { replay } from './examples/replay.ts';
import { shownEntries, toRecordedCall } from './examples/toRecordedCall.ts';
import { unlike } from './examples/unlike.ts';

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
    'uri-reference': /^\S+$/,
    int32: { type: 'number', validate: (value: number) => Math.abs(value) < 2 ** 31 },
    int64: { type: 'number', validate: Number.isSafeInteger },
    binary: true,
  },
});
ajv.addSchema({ $id: 'contract', components: { schemas: document.components.schemas } });

/** Validators by the text of their schema. All refusals share one schema, and compiling it takes longer than a request. */
const validators = new Map<string, ValidateFunction>();

/** Lists the violations of a schema by a value. */
function findingsOf(schema: object, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Headers that are in every answer that documents them. The others depend on the answer. */
const constant = ['X-Request-Id', 'Cache-Control', 'ETag', 'Location', 'WWW-Authenticate', 'Allow'];
/** Headers that must be documented if they are sent. Rate limits are off in the world. */
const telling = [...constant, 'Link', 'Content-Language', 'Set-Cookie', 'Retry-After'];

/** Lists the differences between an answer and its documentation. */
function differences(operation: Operation, { status, headers, text, json }: HttpAnswer): string[] {
  const documented = answerOf(operation, status);
  if (!documented) return [`${status} is not documented: ${text.slice(0, 200)}`];
  const stated = new Set(Object.keys(documented.headers ?? {}));
  const found: string[] = [];
  // An answer without a version has no entity tag, as in GET /me of an API client.
  const isUntagged = json !== undefined && json?.version === null;
  for (const name of constant.filter((one) => one !== 'ETag' || !isUntagged))
    if (stated.has(name) && headers[name.toLowerCase()] === undefined) found.push(`${status} has no ${name}`);
  for (const name of telling)
    if (!stated.has(name) && headers[name.toLowerCase()] !== undefined) found.push(`${status} has ${name}`);
  const types = Object.keys(documented.content ?? {});
  if (text === '') return types.length > 0 ? [...found, `${status} is empty`] : found;
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const media = documented.content?.[type];
  if (!media) return [...found, `${status} is ${type}, documented: ${types.join(', ')}`];
  const codes = documented['x-codes'];
  if (codes && !codes.includes(json?.code)) found.push(`${status} ${json?.code} is none of its codes`);
  return [...found, ...(media.schema ? findingsOf(media.schema, json) : [])];
}

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 120_000);
afterAll(() => world.app.close());

/** `npm run examples` records the examples of the contract. Without it, the recorded requests are sent. */
const isRecording = process.env.RECORD_EXAMPLES === '1';
const recorded = readRecordedCalls();

test('the requests, answers and refusals of every route match its documentation', async () => {
  const findings: string[] = [];
  const news: Record<string, RecordedCall> = {};
  let answered = 0;
  for await (const valid of validRequestsInTurn(world)) {
    const operation = operationOf(valid.route);
    const { request } = valid;
    const name = `${request.method} ${valid.route.path}`;
    const note = (what: string, more: readonly string[]) =>
      findings.push(...more.map((finding) => `${name} (${what}): ${finding}`));
    const body = operation.requestBody?.content?.['application/json']?.schema;
    if (body && request.body !== undefined) note('body', findingsOf(body, request.body));
    if (!body && Object.keys(request.body ?? {}).length > 0) note('body', ['is not documented']);
    const example = recorded[callName(valid.route)];
    const answer = await world.app.send(example && !isRecording ? replay(example, valid) : request);
    if (isRecording) news[callName(valid.route)] = toRecordedCall(valid, answer, shownEntries);
    else note('example, renewed by npm run examples', unlike(example, toRecordedCall(valid, answer)));
    if (answer.status >= 400) note('call', [`refused with ${answer.status}: ${answer.text.slice(0, 300)}`]);
    note('call', differences(operation, answer));
    answered += answer.status < 400 ? 1 : 0;
    const stranger = await world.app.send({ ...request, token: undefined });
    note('stranger', differences(operation, stranger));
    const target = `${request.path}${request.path.includes('?') ? '&' : '?'}nonsense=1`;
    note('unknown parameter', differences(operation, await world.app.send({ ...request, path: target })));
  }
  if (isRecording) writeFileSync(recordedCallsFile, `${JSON.stringify(news, null, 1)}\n`);
  expect(findings).toEqual([]);
  expect(answered).toBeGreaterThan(150);
}, 300_000);

test('every route has an example of its body and of each of its answers', () => {
  const missing: string[] = [];
  const hasExample = ({ content = {} }: Content) =>
    Object.entries(content).every(
      ([type, { schema, example, examples }]) =>
        !/[/+]json$/.test(type) || !schema || example !== undefined || examples !== undefined,
    );
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      const { operationId, requestBody = {}, responses } = operation;
      if (!hasExample(requestBody)) missing.push(`${operationId}: body`);
      for (const status of Object.keys(responses))
        if (!hasExample(answerOf(operation, Number(status)) ?? {})) missing.push(`${operationId}: ${status}`);
    }
  }
  expect(missing).toEqual([]);
});
