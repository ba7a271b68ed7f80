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
} from '../../../test/support/openAiServer.ts';
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

test('a question goes to the provider as the protocol wants it, and its usage is what is paid', async () => {
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

test('what would be sent is known byte by byte before', async () => {
  server.play(completion(good));
  const whom = target();
  const preview = toChatRequest(whom, question, dialectOf(whom));
  await ask(whom);
  expect(server.calls[0]?.text).toBe(preview);
  expect(estimateTokens(preview)).toBeGreaterThanOrEqual(preview.length / 3);
});

test('a provider is asked without a key only if there is none', async () => {
  server.play(completion(good));
  await ask(target({ apiKey: null }));
  expect(server.calls[0]?.headers.authorization).toBeUndefined();
});

test('a provider that does not know a format is asked by the next one, and that is remembered', async () => {
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
])('an answer that %s is paid, and asked for again by the next format', async (_, text) => {
  server.play(completion(text), completion(good));
  const paid = { promptTokens: 100, completionTokens: 20 };
  expect(await ask()).toEqual({ answer: ['A good car'], bills: [paid, paid] });
  expect(server.calls[1]?.body.response_format).toEqual({ type: 'json_object' });
});

test('a format that an administrator chose is the only one', async () => {
  server.play(completion('no JSON'));
  const { error } = await ask(target({ structuredOutput: 'json_object' }));
  expect(error?.kind).toBe('invalid_output');
  expect(server.calls.map(({ body }) => body.response_format.type)).toEqual(['json_object']);
});

test('a server that knows only the older name of the limit is asked by that one, once', async () => {
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

test('a provider that wants a longer pause than five seconds is left in peace, and its pause passed on', async () => {
  server.play(failure(429, {}, { 'retry-after': '30' }));
  const { error } = await ask();
  expect(error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 30_000 });
  expect(server.calls).toHaveLength(1);
});

test.each([
  [
    'refuses',
    { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] },
    'filtered',
  ],
  ['is filtered', { choices: [{ message: { content: '' }, finish_reason: 'content_filter' }] }, 'filtered'],
  [
    'reaches its limit',
    { choices: [{ message: { content: good }, finish_reason: 'length' }] },
    'invalid_output',
  ],
  ['chooses nothing', { choices: [] }, 'invalid_output'],
  [
    'calls a tool',
    { choices: [{ message: { tool_calls: [{}] }, finish_reason: 'tool_calls' }] },
    'invalid_output',
  ],
])('a model that %s is paid for nothing usable', async (_, changes, kind) => {
  server.play((__, response) => sendJson(response, 200, completionOf(null, changes)));
  const { error, bills } = await ask();
  expect(error?.kind).toBe(kind);
  expect(bills).toEqual([{ promptTokens: 100, completionTokens: 20 }]);
});

test('an answer without its usage costs what nobody knows', async () => {
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
])('a provider that %s ends with the time it has', async (_, behaviour) => {
  server.play(behaviour);
  const { error, bills } = await ask(target({ timeoutMs: 300 }));
  expect(error?.kind).toBe('timeout');
  expect(bills).toEqual(['unknown']);
});

test('an answer that is cut off may be charged for, and is asked for once more', async () => {
  server.play((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"choices": [');
    response.socket?.destroy();
  }, completion(good));
  expect(await ask()).toMatchObject({ answer: ['A good car'], bills: ['unknown', { promptTokens: 100 }] });
});

test('an answer of more than 256 KB is not read to its end', async () => {
  server.play((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(Buffer.alloc(2_000_000, ' '));
  });
  const { error, bills } = await ask();
  expect(error?.kind).toBe('error');
  expect(bills).toEqual(['unknown']);
});

test('an answer in an encoding is refused', async () => {
  server.play((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end();
  });
  expect((await ask()).answer).toBeUndefined();
});

test('a redirect is not followed: text and key go nowhere else', async () => {
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
  'nobody connects to %s, which is private, unless the operator lists it',
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

test('nobody listening costs nothing', async () => {
  const closed = createServer();
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const { error, bills } = await ask(target({ baseUrl: `http://127.0.0.1:${port}/v1` }));
  expect(error?.kind).toBe('unavailable');
  expect(bills).toEqual(['none', 'none']);
});

test('a request that is called off ends at once, with the reason, and may be charged for', async () => {
  const controller = new AbortController();
  const reason = new Error('revoked');
  server.play(() => controller.abort(reason));
  const result = await ask(target(), controller.signal);
  expect(result.error).toBe(reason);
  expect(result.bills).toEqual(['unknown']);
});

test('a provider that fails five times is left in peace, by this installation alone', async () => {
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
