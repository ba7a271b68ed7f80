import { pathsOf } from '../../../../test/support/pathsOf.ts';
import { transitions } from './states.ts';

test('a dealer has exactly the specified transitions', () => {
  expect(pathsOf(transitions)).toEqual({
    'approveDealer -> active': 'onboarding',
    'suspendDealer -> suspended': 'active',
    'reinstateDealer -> active': 'suspended',
    'closeDealer -> closing': 'active onboarding suspended',
    'dealerClosings -> closed': 'closing',
  });
});
