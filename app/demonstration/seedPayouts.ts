import type { Caller } from './Caller.ts';
import { seedOperation } from './seedOperation.ts';

interface Linked {
  createPayoutOnboardingLink: { url: string };
}

const link = seedOperation(`mutation createPayoutOnboardingLink($input: CreatePayoutOnboardingLinkInput!) {
  createPayoutOnboardingLink(input: $input) { url }
}`);
const accept = seedOperation(`mutation answerSandbox($input: AnswerSandboxInput!) {
  answerSandbox(input: $input) { order { status } }
}`);

/** Opens the dealer's account in the sandbox, as its owner would on the page there, so that the dealer can be paid. */
export async function seedPayouts(dealer: Caller, dealerId: string): Promise<void> {
  const linked = await dealer.call<Linked>(link, { input: { dealerId } });
  const { url } = linked.createPayoutOnboardingLink;
  const clientSecret = new URLSearchParams(new URL(url).hash.slice(1)).get('secret') ?? '';
  await dealer.call(accept, { input: { clientSecret, answer: 'ACCEPT' } });
}
