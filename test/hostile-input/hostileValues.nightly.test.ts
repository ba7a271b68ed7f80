import { describeHostileValues } from './describeHostileValues.ts';

describe('over REST', () => describeHostileValues('rest', 9));
describe('over GraphQL', () => describeHostileValues('graphql', 9));
