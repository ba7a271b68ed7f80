import { describeEntities } from './describeEntities.ts';

describeEntities(['translation']);
