import { openEventStream } from '../support/stack/openEventStream.ts';
import type { HttpAnswer } from '../support/stack/openHttpClient.ts';

/** Returns the first result of a subscription as an answer, and closes the stream. */
export async function askStream(
  port: number,
  { token, body }: { token: string | undefined; body: object },
): Promise<HttpAnswer> {
  const stream = await openEventStream(`http://127.0.0.1:${port}/graphql`, {
    ...(token !== undefined && { token }),
    headers: { host: 'demo.localhost' },
    body,
  });
  await stream.until('it delivers, or ends', ({ received, hasEnded }) => hasEnded || received.length > 0);
  stream.close();
  const [first] = stream.received;
  const { status, headers } = stream;
  if (status !== 200 || !first) return { status, headers, text: stream.text, json: parsed(stream.text) };
  return { status, headers, text: JSON.stringify(first.data), json: first.data };
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
