import { stateMachine } from '../../../platform/states/stateMachine.ts';
import type { KeyState } from '../../../platform/token/SigningKey.ts';

/** States of a signing key; see the transitions. */
const keyStates = [
  'next',
  'current',
  'previous',
  'retired',
  'compromised',
] as const satisfies readonly KeyState[];

/** Every way there is. What is `compromised` is out of the set at once, with every token that it signed. */
export const { transitions, isAllowed, sourcesOf } = stateMachine<KeyState, 'rotation' | 'revocation'>(
  'A signing key',
  keyStates,
  [
    ['rotation', ['next'], 'current'],
    ['rotation', ['current'], 'previous'],
    ['rotation', ['next', 'previous'], 'retired'],
    ['revocation', ['next', 'current', 'previous'], 'compromised'],
  ],
);
