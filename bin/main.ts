import '../app/lifecycle/productionMode.ts';
import { enableCompileCache } from 'node:module';

// Compiled code is kept between starts: types are stripped and scripts compiled once, not at every start.
enableCompileCache();
await import('../app/lifecycle/serve.ts');
