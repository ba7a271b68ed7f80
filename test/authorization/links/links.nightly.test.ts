import { everybody } from '../world/people.ts';
import { describeLinks } from './describeLinks.ts';

describeLinks(everybody);
