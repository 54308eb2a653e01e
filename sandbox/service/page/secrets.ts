const mask = '***';

const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** A URL as people may see it: without the values of its query (the trigger's token, for one) and without a password. */
export const maskedUrl = (text: string): string => {
	if (!URL.canParse(text)) return text.replace(/\?.*$/s, `?${mask}`);
	const url = new URL(text);
	if (url.password !== '') url.password = mask;
	for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, mask);
	return url.href;
};

/** A path with its query as people may see it: URLs in its parameters are masked, and everything is readable. */
export const maskedPath = (text: string): string => {
	const [path = ''] = text.split('?', 1);
	const query = [...new URLSearchParams(text.slice(path.length))].map(([name, value]) =>
		name === 'url' || isWebUrl(value) ? `${name}=${maskedUrl(value)}` : `${name}=${value}`,
	);
	return query.length === 0 ? path : `${path}?${query.join('&')}`;
};

/** A text as people may see it: tokens of URLs in it are masked. */
export const maskedText = (text: string): string =>
	text.replace(/(token(?:=|%3D))[^&\s"'<>%]+/gi, `$1${mask}`);
