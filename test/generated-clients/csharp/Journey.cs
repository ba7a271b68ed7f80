using System.Text.Json;
using Newtonsoft.Json.Linq;
using Trigate.Client.Api;
using Trigate.Client.Client;
using Trigate.Client.Model;

// Sells a car with the generated client, and prints what the service answered.
string Setting(string name) => Environment.GetEnvironmentVariable(name) ?? "";

var url = Setting("TRIGATE_URL");
var token = new AuthApi(url)
    .IssueToken(new IssueTokenBody(
        grantType: "password",
        username: Setting("TRIGATE_USER"),
        password: Setting("TRIGATE_PASSWORD")))
    .AccessToken;
var listings = new ListingApi(new Configuration { BasePath = url, AccessToken = token });

var draft = listings.CreateListing(null, new CreateListingRequest(
    dealerId: Setting("TRIGATE_DEALER"),
    categoryId: Setting("TRIGATE_CATEGORY"),
    title: "Volvo 145 estate",
    description: "A sound estate of 1972.",
    language: "en",
    condition: ListingCondition.Used,
    price: new MoneyInput(1_245_000, "EUR"),
    attributes: JObject.Parse(Setting("TRIGATE_ATTRIBUTES")),
    location: new ListingLocationInput(postalCode: "10115", city: "Berlin", country: "DE")));
var published = listings.PublishListing(draft.Id);
var read = listings.Listing(draft.Id);

var refusal = "none";
try
{
    listings.Listing("lst_00000000000000000000000000");
}
catch (ApiException refused)
{
    refusal = JObject.Parse(refused.ErrorContent?.ToString() ?? "{}")["code"]?.ToString();
}

Console.WriteLine(JsonSerializer.Serialize(new
{
    id = read.Id,
    title = read.Title,
    state = published.State.ToString().ToLowerInvariant(),
    amount = read.Price.Amount,
    refusal,
}));
