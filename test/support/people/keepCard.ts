import type { SandboxCard } from '../../../subgraphs/identity/payments/payment-provider/kept/model.ts';
import type { Installation } from '../../../subgraphs/platform/installation/Installation.ts';
import { collection } from '../../authorization/world/collection.ts';
import type { TestStack } from '../stack/openTestStack.ts';

/** Stores a card of a user at the sandbox, as if the user had completed its page. Returns the id of the method. */
export async function keepCard(
  stack: TestStack,
  installation: Installation,
  { token }: { token: string },
  card: SandboxCard,
): Promise<string> {
  const source = `mutation { createPaymentMethodSetup(input: {}) { setup { paymentMethod { id } } } }`;
  const { data } = await stack.execute(source, {}, { installation, as: token });
  const id = data?.createPaymentMethodSetup.setup.paymentMethod.id;
  await collection('provider_objects').updateOne({ ownId: id }, { $set: { card, status: 'active' } });
  const method = await collection('provider_objects').findOne({ ownId: id });
  await collection('payment_methods').updateOne(
    { _id: id },
    { $set: { state: 'active', methodRef: method?._id } },
  );
  return id;
}
