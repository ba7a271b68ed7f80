import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AiServer,
  completion,
  completionOf,
  failure,
  openAiServer,
  sendJson,
} from '../../../../test/support/servers/openAiServer.ts';
import { type Billing, type ProviderFailure, type ProviderTarget, type Question } from './AiProvider.ts';
import { askProvider, dialectOf } from './askProvider.ts';
import { estimateTokens, toChatRequest } from './chatRequest.ts';

let server: AiServer;
let count = 0;

beforeAll(async () => {
  server = await openAiServer();
});
afterAll(() => server.close());
beforeEach(() => server.calls.splice(0));

const question: Question<string[]> = {
  system: 'Answer in JSON.',
  user: 'A car.',
  schema: { type: 'object' },
  maxOutputTokens: 100,
  read: (value) => {
    const titles = (value as { titles?: unknown } | undefined)?.titles;
    return Array.isArray(titles) ? (titles as string[]) : null;
  },
};
const good = '{"titles":["A good car"]}';

/** Everybody asks for another model, so that nothing is remembered from one test to the next. */
function target(changes: Partial<ProviderTarget> = {}): ProviderTarget {
  count += 1;
  return {
    installationId: `ins_${count}`,
    baseUrl: server.baseUrl,
    model: `model-${count}`,
    apiKey: 'sk-secret',
    allowPrivate: true,
    timeoutMs: 20_000,
    structuredOutput: 'auto',
    ...changes,
  };
}

/** Asks, and answers what came of it beside what each attempt cost. */
async function ask(whom: ProviderTarget = target(), signal = new AbortController().signal) {
  const bills: Billing[] = [];
  const meter = {
    begin: async () => ({ settle: async (billing: Billing) => void bills.push(billing) }),
  };
  const outcome = await askProvider(whom, question, { meter, signal }).then(
    (answer) => ({ answer }),
    (error: ProviderFailure) => ({ error }),
  );
  return { ...outcome, bills } as { answer?: string[]; error?: ProviderFailure; bills: Billing[] };
}

test('a question is sent as a chat completion and charged by its reported usage', async () => {
  server.play(completion(good));
  const whom = target();
  expect(await ask(whom)).toEqual({
    answer: ['A good car'],
    bills: [{ promptTokens: 100, completionTokens: 20 }],
  });
  expect(server.calls).toHaveLength(1);
  const [call] = server.calls;
  expect(call?.url).toBe('/v1/chat/completions');
  expect(call?.headers).toMatchObject({
    authorization: 'Bearer sk-secret',
    'content-type': 'application/json',
  });
  expect(call?.body).toMatchObject({
    model: whom.model,
    messages: [
      { role: 'system', content: 'Answer in JSON.' },
      { role: 'user', content: 'A car.' },
    ],
    max_completion_tokens: 100,
    response_format: { type: 'json_schema', json_schema: { strict: true, schema: { type: 'object' } } },
    stream: false,
  });
  expect(call?.body).not.toHaveProperty('temperature');
});

test('the preview of a request has the bytes of the request', async () => {
  server.play(completion(good));
  const whom = target();
  const preview = toChatRequest(whom, question, dialectOf(whom));
  await ask(whom);
  expect(server.calls[0]?.text).toBe(preview);
  expect(estimateTokens(preview)).toBeGreaterThanOrEqual(preview.length / 3);
});

test('a request without an API key has no authorization', async () => {
  server.play(completion(good));
  await ask(target({ apiKey: null }));
  expect(server.calls[0]?.headers.authorization).toBeUndefined();
});

test('an unknown output format is replaced by the next one, which is remembered', async () => {
  const refusal = failure(400, { param: 'response_format', code: 'unsupported_parameter' });
  server.play(refusal, refusal, completion(`\`\`\`json\n${good}\n\`\`\``));
  const whom = target();
  expect(await ask(whom)).toMatchObject({
    answer: ['A good car'],
    bills: ['none', 'none', { promptTokens: 100 }],
  });
  expect(server.calls.map(({ body }) => body.response_format?.type)).toEqual([
    'json_schema',
    'json_object',
    undefined,
  ]);
  server.calls.splice(0);
  server.play(completion(good));
  await ask(whom);
  expect(server.calls.map(({ body }) => body.response_format)).toEqual([undefined]);
});

test.each([
  ['is no JSON', 'Here you are: a title'],
  ['has another shape', '{"headline":"A good car"}'],
  ['is cut', '{"titles":["A go'],
])('an answer that %s is charged, and requested again in the next format', async (_, text) => {
  server.play(completion(text), completion(good));
  const paid = { promptTokens: 100, completionTokens: 20 };
  expect(await ask()).toEqual({ answer: ['A good car'], bills: [paid, paid] });
  expect(server.calls[1]?.body.response_format).toEqual({ type: 'json_object' });
});

test('a format that the settings name is the only one that is tried', async () => {
  server.play(completion('no JSON'));
  const { error } = await ask(target({ structuredOutput: 'json_object' }));
  expect(error?.kind).toBe('invalid_output');
  expect(server.calls.map(({ body }) => body.response_format.type)).toEqual(['json_object']);
});

test('a server that knows only the older name of the token limit is asked once more with that name', async () => {
  const refusal = failure(400, { param: 'max_completion_tokens', code: 'unsupported_parameter' });
  server.play(refusal, completion(good));
  expect(await ask()).toMatchObject({ answer: ['A good car'] });
  expect(server.calls[1]?.body).toMatchObject({ max_tokens: 100 });
  expect(server.calls[1]?.body).not.toHaveProperty('max_completion_tokens');
  server.calls.splice(0);
  server.play(refusal);
  expect((await ask()).error?.kind).toBe('error');
  expect(server.calls).toHaveLength(2);
});

test.each([
  [401, {}, 'rejected'],
  [403, {}, 'rejected'],
  [429, { code: 'insufficient_quota' }, 'rejected'],
  [400, { message: 'bad' }, 'error'],
  [404, {}, 'error'],
  [400, { code: 'content_filter' }, 'filtered'],
] as const)('status %d %j is %s, costs nothing and is not repeated', async (status, error, kind) => {
  server.play(failure(status, error));
  const result = await ask();
  expect(result.error?.kind).toBe(kind);
  expect(result.bills).toEqual(['none']);
  expect(server.calls).toHaveLength(1);
  expect(result.error?.message).not.toContain('private text');
});

test.each([429, 408, 500, 502, 503])('status %d is tried once more', async (status) => {
  server.play(failure(status, {}, { 'retry-after': '0' }), completion(good));
  expect(await ask()).toMatchObject({ answer: ['A good car'] });
  server.calls.splice(0);
  server.play(failure(status, {}, { 'retry-after': '0' }));
  expect((await ask()).error?.kind).toBe(status === 429 ? 'rate_limited' : 'unavailable');
  expect(server.calls).toHaveLength(2);
});

test('a pause of more than five seconds is passed on to the caller instead of a repetition', async () => {
  server.play(failure(429, {}, { 'retry-after': '30' }));
  const { error } = await ask();
  expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 30_000 });
  expect(server.calls).toHaveLength(1);
});

const refusal = { content: null, refusal: 'No.' };
const choice = (message: object, finish_reason: string) => ({ choices: [{ message, finish_reason }] });
test.each([
  ['refuses', choice(refusal, 'stop'), 'filtered'],
  ['is filtered', choice({ content: '' }, 'content_filter'), 'filtered'],
  ['reaches its limit', choice({ content: good }, 'length'), 'invalid_output'],
  ['chooses nothing', { choices: [] }, 'invalid_output'],
  ['calls a tool', choice({ tool_calls: [{}] }, 'tool_calls'), 'invalid_output'],
])('an answer of a model that %s is charged and refused', async (_, changes, kind) => {
  server.play((__, response) => sendJson(response, 200, completionOf(null, changes)));
  const { error, bills } = await ask();
  expect(error?.kind).toBe(kind);
  expect(bills).toEqual([{ promptTokens: 100, completionTokens: 20 }]);
});

test('an answer without a valid usage has an unknown cost', async () => {
  server.play(completion(good, { usage: { prompt_tokens: -1 } }));
  expect((await ask()).bills).toEqual(['unknown']);
});

test.each([
  ['never answers', () => undefined],
  [
    'stops within its body',
    (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices": [');
    },
  ],
  [
    'drips its body',
    async (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      while (!response.destroyed) {
        response.write(' ');
        await pause(50);
      }
    },
  ],
])('a provider that %s is abandoned at the time limit', async (_, behaviour) => {
  server.play(behaviour);
  const { error, bills } = await ask(target({ timeoutMs: 300 }));
  expect(error?.kind).toBe('timeout');
  expect(bills).toEqual(['unknown']);
});

test('an answer that is cut off has an unknown cost and is requested once more', async () => {
  server.play((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"choices": [');
    response.socket?.destroy();
  }, completion(good));
  expect(await ask()).toMatchObject({ answer: ['A good car'], bills: ['unknown', { promptTokens: 100 }] });
});

test.each([
  ['of more than 256 KB', {}, Buffer.alloc(2_000_000, ' '), 'error'],
  ['in an encoding', { 'content-encoding': 'gzip' }, '', 'unavailable'],
])('an answer %s is refused and has an unknown cost', async (_, headers, body, kind) => {
  server.play((__, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(body);
  });
  const { error, bills } = await ask();
  expect(error?.kind).toBe(kind);
  expect(new Set(bills)).toEqual(new Set(['unknown']));
});

test('a redirect of the provider is not followed', async () => {
  const elsewhere = await openAiServer();
  server.play((_, response) => {
    response.writeHead(307, { location: `${elsewhere.baseUrl}/chat/completions` });
    response.end();
  });
  expect((await ask()).error?.kind).toBe('error');
  expect(elsewhere.calls).toEqual([]);
  await elsewhere.close();
});

test.each(['127.0.0.1', 'localhost', '[::1]'])(
  'no connection is opened to %s, a private address, unless the operator lists it',
  async (name) => {
    const { port } = new URL(server.baseUrl);
    const { error, bills } = await ask(
      target({ allowPrivate: false, baseUrl: `https://${name}:${port}/v1` }),
    );
    expect(error?.kind).toBe('unavailable');
    expect(bills.every((bill) => bill === 'none')).toBe(true);
    expect(server.calls).toEqual([]);
  },
);

test('a refused connection costs nothing', async () => {
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const { error, bills } = await ask(target({ baseUrl: `http://127.0.0.1:${port}/v1` }));
  expect(error?.kind).toBe('unavailable');
  expect(bills).toEqual(['none', 'none']);
});

test('an aborted request ends with the reason of the abort and an unknown cost', async () => {
  const controller = new AbortController();
  const reason = new Error('revoked');
  server.play(() => controller.abort(reason));
  const result = await ask(target(), controller.signal);
  expect(result.error).toBe(reason);
  expect(result.bills).toEqual(['unknown']);
});

test('five failures open the circuit of the installation alone', async () => {
  server.play(failure(503, {}, { 'retry-after': '60' }));
  const whom = target();
  for (let failures = 0; failures < 5; failures += 1) await ask(whom);
  expect(server.calls).toHaveLength(5);
  const { error } = await ask(whom);
  expect(error?.kind).toBe('unavailable');
  expect(error?.retryAfterMs).toBeGreaterThan(0);
  expect(server.calls).toHaveLength(5);
  server.play(completion(good));
  expect(await ask()).toMatchObject({ answer: ['A good car'] });
});
