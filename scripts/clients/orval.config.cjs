const client = (name) => ({ input: `made/${name}.json`, output: { target: `made/orval-${name}.ts`, client: "fetch", baseUrl: process.env.KONTOR } });
module.exports = { preview: client("preview"), ecom: client("ecom") };
