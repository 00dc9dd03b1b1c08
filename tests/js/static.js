import { register } from "node:module";

/**
 * Lets the tests import the modules of `replays`, which find those of `games` beside them
 * only where static files are served: there `../../games/match/fold.js` lies in another app.
 */
const hook = `
  const GAMES = ${JSON.stringify(new URL("../../games/static/games/", import.meta.url).href)};
  export const resolve = (name, context, next) => {
    const [, path] = name.split("../games/");
    return next(path && !path.startsWith("static/") ? GAMES + path : name, context);
  };
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
