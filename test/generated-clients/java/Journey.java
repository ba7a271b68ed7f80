import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import trigate.ApiClient;
import trigate.ApiException;
import trigate.api.AuthApi;
import trigate.api.ListingApi;
import trigate.model.CreateListingRequest;
import trigate.model.IssueTokenBody;
import trigate.model.Listing;
import trigate.model.ListingCondition;
import trigate.model.ListingLocationInput;
import trigate.model.MoneyInput;

/** Sells a car with the generated client, and prints what the service answered. */
public class Journey {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("TRIGATE_URL"));
    String token =
        new AuthApi(client)
            .issueToken(
                new IssueTokenBody()
                    .grantType("password")
                    .username(System.getenv("TRIGATE_USER"))
                    .password(System.getenv("TRIGATE_PASSWORD")))
            .getAccessToken();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

    ObjectMapper json = new ObjectMapper();
    ListingApi listings = new ListingApi(client);
    Listing draft =
        listings.createListing(
            null,
            new CreateListingRequest()
                .dealerId(System.getenv("TRIGATE_DEALER"))
                .categoryId(System.getenv("TRIGATE_CATEGORY"))
                .title("Volvo 145 estate")
                .description("A sound estate of 1972.")
                .language("en")
                .condition(ListingCondition.USED)
                .price(new MoneyInput().amount(1_245_000L).currency("EUR"))
                .attributes(json.readValue(System.getenv("TRIGATE_ATTRIBUTES"), Map.class))
                .location(new ListingLocationInput().postalCode("10115").city("Berlin").country("DE")));
    listings.publishListing(draft.getId(), null);
    Listing read = listings.listing(draft.getId(), null);

    Map<String, Object> printed = new LinkedHashMap<>();
    printed.put("id", read.getId());
    printed.put("title", read.getTitle());
    printed.put("state", read.getState().getValue());
    printed.put("amount", read.getPrice().getAmount());
    printed.put("refusal", refusalOf(listings, json));
    System.out.println(json.writeValueAsString(printed));
  }

  private static String refusalOf(ListingApi listings, ObjectMapper json) throws Exception {
    try {
      listings.listing("lst_00000000000000000000000000", null);
      return "none";
    } catch (ApiException refused) {
      JsonNode problem = json.readTree(refused.getResponseBody());
      return problem.get("code").asText();
    }
  }
}
