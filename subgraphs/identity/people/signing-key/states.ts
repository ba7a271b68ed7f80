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

/** All transitions. A `compromised` key leaves the set immediately, which invalidates every token that it signed. */
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
