import { product } from '../../support/product.ts';
import { describeReads } from './describeReads.ts';
import { marketRows, openMarket } from './market.ts';

describeReads(product(), openMarket, marketRows);
