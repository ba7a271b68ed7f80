import { product } from '../support/product.ts';
import { describeReads } from './reads/describeReads.ts';
import { marketRows, openMarket } from './reads/market.ts';

describeReads(product(), openMarket, marketRows);
