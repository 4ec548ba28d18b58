import {handler} from '../http/handler.js';
import {readStorage, removeStorage as remove, writeStorage} from '../people/bots/storage.js';

export const getStorage = handler('getStorage', ({services: {store}, caller, parameters: {keys}}) => ({
	storage: readStorage(store, caller, keys),
}));

export const updateStorage = handler('updateStorage', ({services: {store}, caller, parameters: {storage}}) => {
	writeStorage(store, caller, storage);
	return {};
});

export const removeStorage = handler('removeStorage', ({services: {store}, caller, parameters: {keys}}) => {
	remove(store, caller, keys);
	return {};
});
