import { describeHostileValues } from './describeHostileValues.ts';

describe('bodies', () => {
  describeHostileValues('body', 9);
});
describe('addresses', () => {
  describeHostileValues('address', 9);
});
describe('variables', () => {
  describeHostileValues('variables', 9);
});
