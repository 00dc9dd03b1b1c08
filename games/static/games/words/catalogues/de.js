globalThis.catalogue = { language: "de", form: (n) => Number((n != 1)), texts: {} };
