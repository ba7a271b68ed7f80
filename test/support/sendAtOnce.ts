import { Agent, request } from 'node:http';

/** Address, headers and number of the requests. */
interface Crowd {
  readonly port: number | string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
}

/** Sends concurrent `GET /api/v1/me` requests, each on a separate connection. Counts the answers by status. */
export async function sendAtOnce({ port, headers, count }: Crowd): Promise<Record<string, number>> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const one = (): Promise<number> =>
    new Promise((answered, failed) => {
      request({ host: '127.0.0.1', port, agent, path: '/api/v1/me', headers }, (response) => {
        response.resume().on('end', () => answered(response.statusCode ?? 0));
      })
        .on('error', failed)
        .end();
    });
  const statuses: Record<string, number> = {};
  for (const status of await Promise.all(Array.from({ length: count }, one)))
    statuses[status] = (statuses[status] ?? 0) + 1;
  agent.destroy();
  return statuses;
}
