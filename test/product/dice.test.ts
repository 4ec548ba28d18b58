import {again} from './again.js';

await again('dice');
