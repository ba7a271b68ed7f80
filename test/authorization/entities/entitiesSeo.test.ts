import { describeEntities } from './describeEntities.ts';

describeEntities(['seo']);
