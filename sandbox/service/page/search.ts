import { html, type Html } from './html.ts';
import type { Selection } from './view.ts';

/** Narrows the lists, or the one that is shown, to records that contain a text. */
export const searchForm = ({ list, search }: Selection): Html =>
	html`<form class="search" role="search" action="/">
		${list !== undefined && html`<input type="hidden" name="list" value="${list}" />`}
		<label for="search">Search</label>
		<input id="search" name="q" type="search" value="${search}" autocomplete="off" />
	</form>`;
