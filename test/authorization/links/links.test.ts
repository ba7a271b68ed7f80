import { describeLinks } from './describeLinks.ts';

describeLinks([
  'stranger',
  'buyer',
  'seller',
  'owner',
  'agent',
  'rival',
  'moderator',
  'finance',
  'client',
  'narrowClient',
]);
