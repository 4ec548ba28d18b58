// Keeps the list of messages where its reader is: at the end, or at the message that was read.

import {useLayoutEffect, useRef, useState} from 'preact/hooks';

const NEAR_END_PX = 60;

/**
 * @param content the values that change what is shown
 * @param sentCount how many own messages are on their way: a new one scrolls to the end
 */
export function useScroll({content, sentCount}) {
	const scroller = useRef(/** @type {any} */ (null));
	const list = useRef(/** @type {any} */ (null));
	const mark = useRef({isAtEnd: true, anchor: /** @type {any} */ (undefined), sentCount: 0});
	const [isAtEnd, setIsAtEnd] = useState(true);

	function goToEnd() {
		mark.current.isAtEnd = true;
		scroller.current.scrollTop = scroller.current.scrollHeight;
	}

	function onScroll() {
		const {scrollTop, scrollHeight, clientHeight} = scroller.current;
		mark.current.isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
		mark.current.anchor = firstVisible(scroller.current);
		setIsAtEnd(mark.current.isAtEnd);
	}

	function keep() {
		const {isAtEnd: follows, anchor} = mark.current;
		if (follows) {
			goToEnd();
		} else if (anchor?.element.isConnected) {
			scroller.current.scrollTop += anchor.element.getBoundingClientRect().top - anchor.top;
		}
	}

	function show(element) {
		mark.current.isAtEnd = false;
		element.scrollIntoView({block: 'center'});
		onScroll();
	}

	useLayoutEffect(() => {
		if (sentCount > mark.current.sentCount) {
			mark.current.isAtEnd = true;
		}

		mark.current.sentCount = sentCount;
		keep();
	}, [...content, sentCount]);

	// Streamed answers grow, pictures arrive, and the compose box changes its height.
	useLayoutEffect(() => {
		const observer = new ResizeObserver(keep);
		observer.observe(scroller.current);
		observer.observe(list.current);
		return () => observer.disconnect();
	}, []);

	return {scroller, list, onScroll, isAtEnd, goToEnd, show};
}

function firstVisible(scroller) {
	const {top: edge} = scroller.getBoundingClientRect();
	for (const element of scroller.querySelectorAll('article')) {
		const {top, bottom} = element.getBoundingClientRect();
		if (bottom > edge) {
			return {element, top};
		}
	}

	return undefined;
}
