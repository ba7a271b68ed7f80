import { parse } from 'graphql';
import { addNotes } from '../answer/addNotes.ts';
import { dataOf } from '../answer/dataOf.ts';
import type { RouteHandler } from '../compileRoute.ts';
import { type Headers, send } from '../Exchange.ts';
import type { Gateway } from '../Gateway.ts';
import { assertMediaType, jsonType } from '../mediaTypes.ts';
import { Refusal } from '../Refusal.ts';
import { type BodyLimits, readBody } from '../request/readBody.ts';

const text = `mutation receivePaymentEvent($input: ReceivePaymentEventInput!) {
  receivePaymentEvent(input: $input) { received }
}`;
const types: ReadonlySet<string> = new Set([jsonType]);
const mostBytes = 1024 * 1024;

/** The header that each provider signs in. */
const providers: Readonly<Record<string, string>> = {
  stripe: 'stripe-signature',
  sandbox: 'payment-signature',
  manual: 'payment-signature',
};

/**
 * Serves `/api/v1/webhooks/payments/{provider}`: passes the body on unmodified, because its signature covers every
 * byte. `Authorization` is ignored.
 */
export async function createPaymentWebhook<Context>(
  gateway: Gateway<Context>,
  timeouts: Omit<BodyLimits, 'bytes'>,
): Promise<RouteHandler<Context>> {
  const prepared = await gateway.prepare(parse(text, { noLocation: true }), 'receivePaymentEvent');
  return async (exchange, [provider = '']) => {
    const { request, response, requestId } = exchange;
    const context = await gateway.openContext(request, { ignoreAuthorization: true, requestId, response });
    exchange.context = context;
    await gateway.authorize(prepared, context);
    const header = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
    if (header === undefined) throw new Refusal('not_found', 'This payment provider does not exist.');
    assertMediaType(request, types);
    const bytes = await readBody(request, { ...timeouts, bytes: mostBytes });
    const { [header]: signature } = request.headers;
    const input = {
      provider: provider.toUpperCase(),
      body: bytes.toString('base64'),
      signature: typeof signature === 'string' ? signature : null,
    };
    dataOf(await prepared.execute({ input }, context), false, ['receivePaymentEvent']);
    const headers: Headers = { 'Content-Type': jsonType, 'Cache-Control': 'no-store' };
    addNotes(headers, gateway.answerOf(context));
    send(exchange, 200, headers, '{"received":true}');
  };
}
