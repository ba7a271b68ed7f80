import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import type { AnswerSandboxInput } from '../../identity.generated.ts';
import { paymentChecksName } from '../payment/paymentJobs.ts';
import { storeEvent } from '../payment-event/storeEvent.ts';
import { type KeptObjects, keptObjects } from '../payment-provider/kept/keptObjects.ts';
import type { ProviderObjectRecord, SandboxCard } from '../payment-provider/kept/model.ts';
import type { ProviderObject } from '../payment-provider/PaymentProvider.ts';
import { declined, outcomeOf, slowMs } from '../payment-provider/sandbox/sandboxPayments.ts';

/** Returns the objects of the sandbox; null if the deployment uses another provider. */
export function sandboxObjects({ platform, installationId }: RequestContext): KeptObjects | null {
  if (platform.payments.provider !== 'sandbox') return null;
  return keptObjects('sbx', { installationId, now: platform.now });
}

/** Types of objects that wait for a person. */
export const askedKinds = ['payment', 'method', 'account'] as const satisfies readonly ProviderObject[];

/** Changes an object of the sandbox and reports it by an event, as a provider does. */
export async function answerSandbox(
  { clientSecret, card, answer }: AnswerSandboxInput,
  context: RequestContext,
): Promise<{ order: ProviderObjectRecord }> {
  const objects = sandboxObjects(context);
  const object = await objects?.findBySecret(clientSecret);
  const kind = askedKinds.find((one) => one === object?.kind);
  if (!objects || !object || !kind) throw notFound('A payment with this secret');
  const move = moveOf(object, { card: card ?? null, isYes: answer === 'accept' }, context);
  const moved =
    move && (card || answer)
      ? await objects.change(object._id, { status: { $in: move.from } }, { $set: move.set })
      : null;
  if (!moved)
    throw new AppError(
      'invalid_transition',
      'The sandbox payment does not accept this answer in its current state.',
    );
  const event = { kind, ref: object._id, accountRef: null };
  await storeEvent(context, 'sandbox', { id: randomUUID(), type: `${kind}.updated`, object: event });
  if (moved.status === 'processing')
    context.platform.signals.send(paymentChecksName, { afterMs: slowMs + 1500 });
  return { order: moved };
}

interface Answer {
  card: SandboxCard | null;
  isYes: boolean;
}

interface Move {
  from: string[];
  set: Partial<ProviderObjectRecord>;
}

/** Returns the state after an answer, and the states that allow it. */
function moveOf(
  { kind }: ProviderObjectRecord,
  { card, isYes }: Answer,
  { platform }: RequestContext,
): Move | null {
  if (kind === 'method') return card && { from: ['pending'], set: { card, status: 'active' } };
  if (kind === 'account') {
    const from = ['pending', 'active', 'restricted', 'rejected'];
    return card ? null : { from, set: { status: isYes ? 'active' : 'restricted' } };
  }
  if (card) return { from: ['requires_payment_method'], set: outcomeOf(card, platform.now()) };
  const from = ['requires_action'];
  if (isYes) return { from, set: { status: 'authorized', refusal: null } };
  return {
    from,
    set: { status: 'requires_payment_method', refusal: { ...declined, code: 'authentication_failed' } },
  };
}
