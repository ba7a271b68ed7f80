import type { HttpAnswer, HttpRequest } from '../../support/stack/openHttpClient.ts';
import { askStream } from '../askStream.ts';
import type { World } from '../world/openWorld.ts';

/** Matches internal details that no answer may contain: stacks, paths, and names and messages of libraries. */
const internals =
  /node_modules|\/work\/|file:\/\/|\.[jt]s:\d|\bat \S+ \(|Mongo|mongoose|BSON|ECONN|\[object |undefined is not|Cannot read prop/;
/** Maximum duration of a refusal. */
const patienceMs = 5000;

/** A refusal by REST or GraphQL. */
export interface Refusal {
  readonly status: number;
  /** Code of the problem, or the GraphQL code if the document is refused. */
  readonly code: string;
  /** First pointer, if members are named. */
  readonly pointer: string | undefined;
  readonly answer: HttpAnswer;
}

/** Sends requests that must be refused, and checks the format of every refusal. */
export interface Watch {
  refuse(request: HttpRequest): Promise<Refusal>;
  /** Requests a stream, whose first result must be the refusal. */
  refuseStream(request: { token: string | undefined; body: object }): Promise<Refusal>;
  /** As in `415 unsupported_media_type`. */
  words(request: HttpRequest): Promise<string>;
  /** Number of refusals so far. */
  readonly count: number;
}

export function watchRefusals({ app }: World): Watch {
  let count = 0;
  const judge = async (
    request: HttpRequest,
    send: () => Promise<HttpAnswer> = () => app.send(request),
  ): Promise<Refusal> => {
    const begun = performance.now();
    const answer = await send();
    const elapsedMs = performance.now() - begun;
    count += 1;
    try {
      expect(elapsedMs).toBeLessThan(patienceMs);
      return request.path.startsWith('/graphql') ? ofGraphql(answer) : ofRest(request, answer);
    } catch (error) {
      const { token: _, body, ...shown } = request;
      const sent = JSON.stringify({ ...shown, body: JSON.stringify(body ?? null).slice(0, 300) });
      throw new Error(`${sent} got ${answer.status} ${answer.text.slice(0, 600)}`, { cause: error });
    }
  };
  const refuse = (request: HttpRequest): Promise<Refusal> => judge(request);
  return {
    refuse,
    refuseStream: (request) =>
      judge({ method: 'POST', path: '/graphql', ...request }, () => askStream(app.port, request)),
    async words(request) {
      const { status, code } = await refuse(request);
      return `${status} ${code}`;
    },
    get count() {
      return count;
    },
  };
}

function ofRest({ method }: HttpRequest, answer: HttpAnswer): Refusal {
  const { status, headers, json, text } = answer;
  assertSafe(answer);
  expect(status).toBeGreaterThanOrEqual(400);
  if (method === 'HEAD') return { status, code: '', pointer: undefined, answer };
  expect(headers['content-type']).toBe('application/problem+json');
  assertProblem(json, answer);
  expect(json.status).toBe(status);
  expect(text).not.toMatch(internals);
  return { status, code: json.code, pointer: json.errors?.[0]?.pointer, answer };
}

/** GraphQL answers 200 with errors, except for requests that are not GraphQL and for anonymous callers. */
function ofGraphql(answer: HttpAnswer): Refusal {
  const { status, json, text } = answer;
  assertSafe(answer);
  expect(json.errors.length).toBeGreaterThan(0);
  for (const value of Object.values(json.data ?? {})) expect(value).toBeNull();
  for (const { message, extensions } of json.errors) {
    expect(message).toMatch(/\S/);
    expect(extensions.code).toMatch(/^[A-Z_]+$/);
    if (extensions.problem) assertProblem(extensions.problem, answer);
  }
  expect(text).not.toMatch(internals);
  const [{ extensions }] = json.errors;
  const { problem } = extensions;
  return {
    status: problem?.status ?? status,
    code: problem?.code ?? extensions.code,
    pointer: problem?.errors?.[0]?.pointer,
    answer,
  };
}

function assertSafe({ status, headers }: HttpAnswer): void {
  expect(status).toBeLessThan(500);
  expect(headers['x-request-id']).toMatch(/^[\w.-]{1,128}$/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  if (status === 401) expect(headers['www-authenticate']).toMatch(/^Bearer realm="ins_demo"/);
}

/** RFC 9457, with the members that the design adds. */
function assertProblem(problem: any, { headers }: HttpAnswer): void {
  const requestId = headers['x-request-id'];
  expect(problem).toMatchObject({
    type: expect.stringMatching(new RegExp(`/problems/${problem.code}$`)),
    title: expect.stringMatching(/\S/),
    status: expect.any(Number),
    detail: expect.stringMatching(/\S/),
    instance: expect.stringMatching(/^urn:(uuid|request):/),
    requestId,
  });
  expect(problem).not.toHaveProperty('stack');
}
