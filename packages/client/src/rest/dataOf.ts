import { ProblemError } from '../ProblemError.ts';

/** Result of `openapi-fetch`. */
interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** The body of an answer that is a success. */
export type DataOf<A> = A extends { data: infer Data; error?: undefined } ? Data : never;

/**
 * Returns the body of a REST response. `const me = await dataOf(client.rest.GET('/api/v1/me'))`
 *
 * @throws ProblemError if the request was refused
 */
export async function dataOf<A extends Answer>(answer: A | Promise<A>): Promise<DataOf<A>> {
  const { data, error, response } = await answer;
  if (!response.ok) throw new ProblemError(response.status, error);
  return data as DataOf<A>;
}
