import { ProblemError } from '../ProblemError.ts';

/** What `openapi-fetch` answers. */
interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The body of an answer that is a success. */
export type DataOf<A> = A extends { data: infer Data; error?: undefined } ? Data : never;

/**
 * The body of a REST answer; a refusal is thrown.
 *
 * `const me = await dataOf(client.rest.GET('/api/v1/me'))`
 *
 * @throws ProblemError
 */
export async function dataOf<A extends Answer>(answer: A | Promise<A>): Promise<DataOf<A>> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new ProblemError(response.status, error);
  return data as DataOf<A>;
}
