import {again} from './again.js';

await again('poll');
